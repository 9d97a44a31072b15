// The planner without reloading: a choice fetches the next page of the plan and puts it
// in place of this one. Without this file the links do the same.
(() => {
  "use strict";
  const plan = () => document.querySelector("main.planner");
  if (!plan()) return;
  const root = new URL(plan().dataset.root, location.href).pathname;
  const said = document.createElement("p");
  said.id = "said";
  said.className = "sr";
  said.setAttribute("role", "status");
  document.body.append(said);
  let last = 0;
  let shown = location.pathname;

  // ready adds what needs a script: lynx shows a hidden button, too, and it does nothing there.
  const ready = () => {
    const box = document.querySelector("[data-copy]");
    if (!box) return;
    const button = document.createElement("button");
    button.type = "button";
    button.id = "copy";
    button.className = "button second";
    button.textContent = box.dataset.copy;
    box.closest("section").querySelector(".doings").append(button);
  };

  // show puts a page's parts in place of this one's.
  const show = (next) => {
    const open = [...document.querySelectorAll("details[id][open]")].map((d) => d.id);
    for (const part of ["header.top", ".tickets", "main"]) {
      document.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
    }
    for (const id of open) {
      const fold = document.getElementById(id);
      if (fold) fold.open = true;
    }
    document.title = next.title;
    ready();
  };

  // settle leaves the focus where the reader works: on the piece touched, if it can
  // still be touched, or on the first thing to do next. Pieces bear their key in
  // data-touch.
  const settle = (piece, listed) => {
    const places = [".next a", ".chips a", ".doings a", ".doings button", ".onward a"];
    if (piece) places.unshift(`[data-touch="${CSS.escape(piece)}"]`, "[data-touch]");
    for (const place of places) {
      const to = document.querySelector("main " + place);
      if (to) {
        to.focus({ preventScroll: !listed });
        break;
      }
    }
    const news = document.querySelector("#told");
    said.textContent = "";
    requestAnimationFrame(() => { said.textContent = news ? news.textContent : ""; });
  };

  const go = async (url, push, piece, listed) => {
    const mine = ++last;
    let next;
    let at;
    try {
      const answer = await fetch(url);
      const text = await answer.text();
      at = new URL(answer.url);
      next = new DOMParser().parseFromString(text, "text/html");
      if (!answer.ok || !at.pathname.startsWith(root) || !next.querySelector("main.planner")) throw new Error("no plan");
    } catch {
      if (mine === last) location.assign(url);
      return;
    }
    if (mine !== last) return; // another choice was quicker
    if (push) history.pushState(null, "", at);
    shown = at.pathname;
    show(next);
    settle(piece, listed);
  };

  document.addEventListener("click", (e) => {
    const link = e.target.closest("main a[href]");
    if (!link || link.getAttribute("href").startsWith("#") || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const url = new URL(link.getAttribute("href"), location.href); // an SVG link has no string as its href
    if (url.origin !== location.origin || !url.pathname.startsWith(root) || url.pathname.endsWith(".json")) return;
    e.preventDefault();
    url.hash = ""; // the news is said, and the page stays where it is
    go(url.href, true, link.dataset.touch, !!link.closest(".side"));
  });

  addEventListener("popstate", () => {
    if (location.pathname.startsWith(root) && location.pathname !== shown) go(location.href, false);
  });

  document.addEventListener("click", async (e) => {
    const button = e.target.closest("#copy");
    if (!button) return;
    const box = document.querySelector("[data-copy]");
    box.select();
    try {
      await navigator.clipboard.writeText(box.value);
    } catch {
      if (!document.execCommand("copy")) return; // the text is selected
    }
    said.textContent = box.dataset.copied;
    button.textContent = box.dataset.copied;
  });

  ready();
})();
