// Keys, the slider and the boards of a game's page. Without this file links and
// the slider's button do the same.
(() => {
  "use strict";
  const nav = document.querySelector(".steps");
  if (nav) {
    const ways = { ArrowLeft: "step-back", ArrowRight: "step-on", "[": "round-back", "]": "round-on", "0": "end" };
    const turns = { ArrowLeft: "turn-back", ArrowRight: "turn-on" };
    document.addEventListener("keydown", (e) => {
      if (e.altKey || e.ctrlKey || e.metaKey || e.target.matches("input, textarea, select")) return;
      const way = (e.shiftKey && turns[e.key]) || ways[e.key];
      const link = way && nav.querySelector(`a[data-way="${way}"]`);
      if (link) {
        e.preventDefault();
        location.assign(link.href);
      }
    });
    const form = nav.querySelector("form");
    const slider = form.elements.at;
    const at = nav.querySelector(".at");
    const said = at.textContent;
    slider.addEventListener("input", () => {
      at.textContent = said.replace(/\d+/, slider.value);
    });
    slider.addEventListener("change", () => form.requestSubmit());
    form.classList.add("lively");
  }
  // Whatever is tapped on a board shows what it is; without this the page also
  // scrolls there.
  document.addEventListener("click", (e) => {
    const thing = e.target.closest(".ba a");
    if (thing) {
      e.preventDefault();
      thing.focus({ preventScroll: true });
      thing.querySelector("p").scrollIntoView({ block: "nearest" });
    } else if (document.activeElement.matches(".ba a")) document.activeElement.blur();
  });
  // Times in the reader's own zone, with its name. The second of two times of one day
  // has no date. Our English is British.
  const page = document.documentElement.lang;
  const lang = page === "en" ? "en-GB" : page;
  for (const t of document.querySelectorAll("time[datetime]")) {
    const when = new Date(t.dateTime);
    const first = t.previousElementSibling;
    const sameDay = t.dateTime.includes("T") && first && first.matches("time[datetime]") && new Date(first.dateTime).toDateString() === when.toDateString();
    const form = sameDay ? {} : { dateStyle: "medium" };
    if (t.dateTime.includes("T")) Object.assign(form, { timeStyle: "short" });
    if (isNaN(when)) continue;
    const zone = new Intl.DateTimeFormat(lang, { timeZoneName: "short" })
      .formatToParts(when).find((p) => p.type === "timeZoneName");
    t.textContent = new Intl.DateTimeFormat(lang, form).format(when) + (zone ? " " + zone.value : "");
  }
})();
