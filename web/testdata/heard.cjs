// What a screen reader says of HTML files, as a JSON array of phrases for each file.
const fs = require("fs");
const { JSDOM } = require("jsdom");

async function heard(file) {
  const dom = new JSDOM(fs.readFileSync(file, "utf8"));
  for (const name of ["Node", "Element", "HTMLElement", "MutationObserver", "CustomEvent", "Event", "KeyboardEvent", "NodeFilter", "HTMLInputElement", "HTMLTextAreaElement", "Text", "SVGElement", "DocumentFragment"]) {
    globalThis[name] = dom.window[name];
  }
  globalThis.window = dom.window;
  globalThis.document = dom.window.document;
  globalThis.getComputedStyle = dom.window.getComputedStyle.bind(dom.window);
  const { Virtual } = require("@guidepup/virtual-screen-reader");
  const reader = new Virtual();
  await reader.start({ container: document.body });
  for (let i = 0; i < 5000 && (await reader.lastSpokenPhrase()) !== "end of document"; i++) await reader.next();
  const log = await reader.spokenPhraseLog();
  await reader.stop();
  return log;
}

(async () => {
  const all = [];
  for (const file of process.argv.slice(2)) all.push(await heard(file));
  console.log(JSON.stringify(all));
})();
