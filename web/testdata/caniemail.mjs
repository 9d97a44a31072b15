// The features of HTML and CSS that files use and not every mail program knows, with the
// share of programs that know them at least in part, in per cent, as a JSON object.
import fs from "fs";
import { caniemail, rawData } from "caniemail";

const programs = ["apple-mail.*", "gmail.*", "outlook.*", "yahoo.*", "aol.*", "samsung-email.*", "protonmail.*", "fastmail.*", "hey.*", "orange.*"];
const used = new Set();
for (const file of process.argv.slice(2)) {
  const html = fs.readFileSync(file, "utf8");
  for (const program of programs) {
    const found = caniemail({ clients: [program], html }).issues;
    for (const kind of ["errors", "warnings"]) {
      for (const [, list] of found[kind]) for (const issue of list) used.add(issue.title);
    }
  }
}
const shares = {};
for (const title of used) {
  const feature = rawData.data.find((f) => f.title === title);
  const latest = feature ? Object.values(feature.stats).flatMap((family) => Object.values(family).map((p) => Object.values(p).at(-1))) : [];
  shares[title] = latest.length ? Math.round((100 * latest.filter((s) => /^[ya]/.test(s)).length) / latest.length) : 0;
}
console.log(JSON.stringify(shares));
