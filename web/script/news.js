// News of the page's game. Every 30 seconds, while the page is visible, this asks a small address
// whether the log has grown; the browser's cache sends the tag, and an answer of 304 has no body.
// A bar and the title say what happened. The page stays as it is until the bar's link is followed.
(() => {
  "use strict";
  const bar = document.getElementById("news");
  if (!bar) return;
  const every = 30_000;
  const most = 600_000;
  const title = document.title;
  let wait = every;
  let timer = 0;
  let last = Date.now();
  const show = (text) => {
    const link = document.createElement("a");
    link.href = bar.dataset.to;
    link.textContent = bar.dataset.show;
    bar.replaceChildren(text + " ", link);
    document.title = text + " · " + title;
  };
  const ask = async () => {
    last = Date.now();
    try {
      const answer = await fetch(bar.dataset.from, { cache: "no-cache" });
      if (answer.status === 404 || answer.status === 410) return false;
      wait = answer.ok ? every : Math.min(2 * wait, most);
      const news = answer.ok ? await answer.json() : {};
      if (news.text && news.text !== bar.dataset.said) {
        bar.dataset.said = news.text;
        show(news.text);
      }
    } catch {
      wait = Math.min(2 * wait, most);
    }
    return true;
  };
  const plan = () => {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    timer = setTimeout(async () => {
      if (await ask()) plan();
    }, Math.max(0, last + wait - Date.now()));
  };
  document.addEventListener("visibilitychange", plan);
  plan();
})();
