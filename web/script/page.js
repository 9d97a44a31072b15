// What all pages have: things on a board that say what they are, and times in the reader's zone.
(() => {
  "use strict";
  // A thing that is tapped on a board shows what it is; without this the page also
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
  const times = () => {
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
  };
  times();
  document.addEventListener("page-changed", times);
})();
