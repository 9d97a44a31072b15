// The table by keyboard, and tips. Each board is one Tab stop; arrow keys go to the piece
// that is nearest in their direction. A tip shows the piece under the pointer or the focus
// large, with what its kinds are. Without this file the pieces that do something are
// links, and "What the pieces are and do" explains the kinds.
(() => {
  "use strict";
  if (!document.querySelector("[data-board]")) return;
  // A browser that can't show what is folded on a wide page has it open there.
  if (!CSS.supports("selector(::details-content)") && matchMedia("(min-width: 560px)").matches)
    for (const fold of document.querySelectorAll(".fold")) fold.open = true;
  const PIECE = "[data-k]";
  const ITEM = "[data-k], a[href]";
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const items = (board) => [...board.querySelectorAll(ITEM)].filter((e) => !e.parentElement.closest(ITEM) && e.checkVisibility());

  // One Tab stop: what had the focus last, or the best that may be touched.
  const stop = (board, at) => {
    for (const e of items(board)) e.tabIndex = e === at ? 0 : -1;
  };
  const settle = () => {
    for (const board of document.querySelectorAll("[data-board]")) {
      const all = items(board);
      if (all.length && !all.some((e) => e.getAttribute("tabindex") === "0"))
        stop(board, all.find((e) => e.matches("a.best")) || all.find((e) => e.matches("a")) || all[0]);
    }
  };
  settle();
  document.addEventListener("toggle", settle, true); // what was folded can be reached
  addEventListener("resize", settle);
  new MutationObserver(settle).observe(document.body, { childList: true, subtree: true });

  // A hex is where its ground is, whatever else is drawn on it.
  const middle = (e) => {
    const r = (e.querySelector(".hb") || e).getBoundingClientRect();
    return [r.x + r.width / 2, r.y + r.height / 2];
  };
  const nearest = (board, from, [x, y]) => {
    const [fx, fy] = middle(from);
    let best = null;
    let least = Infinity;
    for (const e of items(board)) {
      const [ex, ey] = middle(e);
      const along = (ex - fx) * x + (ey - fy) * y;
      const across = Math.abs((ex - fx) * y) + Math.abs((ey - fy) * x);
      if (e === from || along < 2) continue;
      // What is rather aside comes after all that is rather ahead.
      const far = Math.hypot(along, across) + across / 2 + (across > 2 * along ? 10000 : 0);
      if (far < least) [best, least] = [e, far];
    }
    return best;
  };
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && !tip.hidden) {
      hide();
      e.stopPropagation();
      return;
    }
    const board = e.target.closest("[data-board]");
    const from = board && e.target.closest(ITEM);
    if (!from || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
    const all = items(board);
    let to = null;
    if (ways[e.key]) to = nearest(board, from, ways[e.key]) || from;
    else if (e.key === "Home") to = all[0];
    else if (e.key === "End") to = all[all.length - 1];
    else if (e.key === "Enter" && !from.matches("a")) {
      explain(from);
      e.preventDefault();
    }
    if (to) {
      e.preventDefault();
      e.stopPropagation();
      to.focus();
    }
  }, true);

  // What a piece is stands in the list of kinds, where its rules are links.
  const about = () => document.getElementById("pieces");
  const kinds = (piece) => piece.dataset.k.split(" ").map((k) => document.getElementById("k-" + k)).filter(Boolean);
  const explain = (piece) => {
    const [kind] = kinds(piece);
    if (!kind) return;
    hide();
    about().open = true;
    location.hash = kind.id;
    kind.tabIndex = -1;
    kind.focus();
  };

  // The tip.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  let shown = null;
  let timer = 0;

  // A copy of a piece is no link, has no name and no part in the Tab order.
  const bare = (node) => {
    for (const e of [node, ...node.querySelectorAll("*")])
      for (const a of ["id", "role", "aria-label", "tabindex", "data-k", "data-name", "data-does", "href"])
        if (a !== "href" || e.localName === "a") e.removeAttribute(a);
    for (const e of node.querySelectorAll(".gl, .gr, use.ch, .step")) e.remove();
    node.classList.remove("go", "best", "other", "dim", "ch", "at");
    return node;
  };
  const drawn = (piece) => {
    const box = document.createElement("div");
    const color = piece.closest(".o, .g, .n, .r, .k");
    box.className = "big " + (color ? [..."ognrk"].find((c) => color.classList.contains(c)) : "");
    box.setAttribute("aria-hidden", "true");
    const svg = piece.ownerSVGElement;
    if (!svg) {
      box.append(bare(piece.cloneNode(true)));
      return box;
    }
    const big = svg.cloneNode(false);
    bare(big);
    big.removeAttribute("data-board");
    big.setAttribute("viewBox", "-60 -62 120 124");
    const hex = bare((piece.matches("a") ? piece.querySelector("g") : piece).cloneNode(true));
    hex.removeAttribute("transform");
    big.append(hex);
    box.append(big);
    return box;
  };
  const line = (tag, text) => {
    const e = document.createElement(tag);
    e.append(text);
    return e;
  };
  const fill = (piece) => {
    const label = piece.getAttribute("aria-label");
    const text = document.createElement("div");
    text.append(line("b", piece.dataset.name || label));
    if (piece.dataset.does) text.append(line("p", piece.dataset.does));
    for (const kind of kinds(piece)) {
      const p = document.createElement("p");
      p.append(...[...kind.childNodes].map((n) => n.cloneNode(true)));
      for (const a of p.querySelectorAll("a")) a.tabIndex = -1; // Tab comes to it in the list
      text.append(p);
    }
    tip.replaceChildren(drawn(piece), text);
  };
  // Below the piece, above it, or at a side: where the whole tip is in sight. Else below.
  const place = (piece) => {
    const gap = 8;
    const wide = document.documentElement.clientWidth;
    const high = document.documentElement.clientHeight;
    const r = (piece.querySelector(".hb") || piece).getBoundingClientRect();
    tip.style.transform = "";
    const t = tip.getBoundingClientRect();
    const within = (x, size, room) => Math.max(gap, Math.min(x, room - size - gap));
    const x = within(r.x + r.width / 2 - t.width / 2, t.width, wide);
    const y = within(r.y + r.height / 2 - t.height / 2, t.height, high);
    const places = [[x, r.bottom + gap], [x, r.top - gap - t.height], [r.right + gap, y], [r.left - gap - t.width, y]];
    const fits = ([px, py]) => px >= 0 && py >= 0 && px + t.width <= wide && py + t.height <= high;
    const [left, top] = places.find(fits) || places[0];
    tip.style.transform = `translate(${left - t.left}px, ${top - t.top}px)`;
  };
  const show = (piece) => {
    clearTimeout(timer);
    if (piece === shown) return;
    shown = piece;
    fill(piece);
    if (!tip.isConnected) document.querySelector("main").append(tip);
    tip.hidden = false;
    place(piece);
  };
  const hide = () => {
    clearTimeout(timer);
    shown = null;
    tip.hidden = true;
  };
  const later = (what, ms) => {
    clearTimeout(timer);
    timer = setTimeout(what, ms);
  };
  document.addEventListener("focusin", (e) => {
    const item = e.target.closest(ITEM);
    const board = e.target.closest("[data-board]");
    if (item && board) stop(board, item);
    const piece = e.target.closest(PIECE);
    if (piece) show(piece);
    else if (!tip.contains(e.target)) hide();
  });
  document.addEventListener("focusout", (e) => {
    if (shown && e.target.contains(shown)) later(hide, 100);
  });
  document.addEventListener("pointerover", (e) => {
    const piece = e.target.closest(PIECE);
    if (tip.contains(e.target) || (piece && piece === shown)) clearTimeout(timer);
    else if (piece && (e.pointerType !== "touch" || !piece.matches("a"))) later(() => show(piece), shown ? 60 : 150);
    else if (shown && shown !== document.activeElement) later(hide, 300);
  });
})();
