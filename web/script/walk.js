// Steps through a game without loading the page anew, plays it by itself, and knows some keys. Links
// and the slider's button do the same without this file. A step replaces the address and adds nothing
// to the browser's history, so one Back leaves the game.
(() => {
  "use strict";
  const pause = 1600; // between two steps that play by themselves, in milliseconds
  const ways = { ArrowLeft: "step-back", ArrowRight: "step-on", "[": "round-back", "]": "round-on", 9: "start", 0: "end" };
  const turns = { ArrowLeft: "turn-back", ArrowRight: "turn-on" };
  const off = "angelpost-keys-off";
  const nav = () => document.querySelector(".steps");
  let playing = 0;
  let going = 0; // the newest step asked for
  let said = null;

  const remembered = () => {
    try {
      return localStorage.getItem(off) === "1";
    } catch {
      return false; // a browser that keeps nothing
    }
  };

  const stop = () => {
    clearTimeout(playing);
    playing = 0;
    const button = document.querySelector(".steps .play");
    if (button) button.textContent = nav().dataset.play;
  };

  // show puts the page at an address into this one, and its title. What
  // had the focus has it again.
  const show = async (href) => {
    const n = ++going;
    const held = document.activeElement;
    const way = held && held.closest(".steps") ? held.dataset.way || (held.matches(".play") && "play") || (held.matches("input[type=range]") && "slider") : "";
    let text = "";
    try {
      const answer = await fetch(href, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.status);
      text = await answer.text();
    } catch {
      location.assign(href);
      return false;
    }
    if (n !== going) return true; // a later step has been asked for
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!page.querySelector(".steps")) {
      location.assign(href);
      return false;
    }
    const open = [...document.querySelectorAll("details[id][open]")].map((d) => d.id);
    // What scripts have put there stays: the news, what is said, tips.
    const made = (e) => e.id === "news" || e === said || e.matches(".tip, [role=tooltip]");
    const kept = [...document.body.children].filter(made);
    const parts = [...page.body.children].filter((e) => !made(e));
    document.body.replaceChildren(...parts.map((e) => document.adoptNode(e)), ...kept);
    document.title = page.title;
    history.replaceState(null, "", href);
    ready();
    for (const id of open) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    }
    const again = way === "play" ? nav().querySelector(".play") : way === "slider" ? nav().querySelector("input[type=range]") : way && nav().querySelector(`a[data-way="${way}"]`);
    if (again) again.focus({ preventScroll: true });
    else if (way) nav().querySelector("a[data-way]").focus({ preventScroll: true });
    const first = document.querySelector("#tale li");
    said.textContent = nav().querySelector(".at").textContent + (first ? ". " + first.textContent.replace(/\s+/g, " ").trim() : "");
    document.dispatchEvent(new CustomEvent("page-changed"));
    return true;
  };

  const go = (way) => {
    const link = nav() && nav().querySelector(`a[data-way="${way}"]`);
    return link ? show(link.href) : null;
  };

  const play = async () => {
    if (!(await go("step-on")) || !playing) {
      stop();
      return;
    }
    playing = setTimeout(play, pause);
  };

  const toggle = () => {
    if (playing) {
      stop();
      return;
    }
    playing = -1;
    document.querySelector(".steps .play").textContent = nav().dataset.stop;
    play();
  };

  // ready makes a fresh walk lively.
  const ready = () => {
    const form = nav().querySelector("form");
    const slider = form.elements.at;
    const at = nav().querySelector(".at");
    const was = at.textContent;
    slider.addEventListener("input", () => {
      at.textContent = was.replace(/\d+/, slider.value);
    });
    slider.addEventListener("change", () => {
      const address = new URL(location.href);
      address.search = new URLSearchParams(new FormData(form)).toString();
      stop();
      show(address.href);
    });
    form.classList.add("lively");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "play";
    button.textContent = playing ? nav().dataset.stop : nav().dataset.play;
    button.addEventListener("click", toggle);
    nav().querySelector(".ways").append(button);
    const keys = nav().querySelector(".keys");
    keys.hidden = false;
    const box = keys.querySelector("input");
    box.checked = !remembered();
    box.addEventListener("change", () => {
      try {
        localStorage.setItem(off, box.checked ? "" : "1");
      } catch {
        // then it holds for this page alone
      }
    });
  };

  if (nav() && document.querySelector("main .steps form")) {
    said = document.createElement("p");
    said.className = "sr";
    said.setAttribute("role", "status");
    document.body.append(said);
    ready();
    document.addEventListener("keydown", (e) => {
      if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest("input, textarea, select, [data-arrows]")) return;
      if (!nav().querySelector(".keys input").checked) return;
      if (e.key === "p") {
        e.preventDefault();
        toggle();
        return;
      }
      const way = (e.shiftKey && turns[e.key]) || ways[e.key];
      if (way && nav().querySelector(`a[data-way="${way}"]`)) {
        e.preventDefault();
        stop();
        go(way);
      }
    });
    document.addEventListener("click", (e) => {
      const link = e.target.closest(".steps a[data-way]");
      if (!link || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
      e.preventDefault();
      stop();
      show(link.href);
    });
  }
})();
