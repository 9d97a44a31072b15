"use strict";
// Shows new letters as they come: what stands in #live is asked for again where
// data-from says. Without this file a link does the same.
(() => {
  const live = document.getElementById("live");
  if (!live || !live.dataset.from) return;
  const told = document.getElementById("told");
  const newest = () => live.querySelector("a")?.href;
  const look = async () => {
    let page;
    try {
      page = await (await fetch(live.dataset.from)).text();
    } catch {
      return; // the demo has ended, or begins again
    }
    const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("live");
    if (!fresh || fresh.innerHTML === live.innerHTML) return;
    const before = newest();
    const focus = live.contains(document.activeElement) && document.activeElement.getAttribute("href");
    live.replaceChildren(...fresh.childNodes);
    if (focus) live.querySelector(`a[href="${focus}"]`)?.focus();
    if (told && newest() !== before) told.textContent = "New letter: " + (live.querySelector(".subject")?.textContent ?? "");
  };
  setInterval(look, 2000);
})();
