// What the page does besides htmx: it keeps quiet while its tab is hidden, moves the focus on a board with the arrow
// keys, gives the focus back after a move, says when the server does not answer, has keys for buttons, and reads a chosen file
// into its field. Without it everything still works.
"use strict";

const on = (event, react) => document.addEventListener(event, react);
const byId = (id) => document.getElementById(id);
const query = (selector) => document.querySelector(selector), queryAll = (selector) => document.querySelectorAll(selector);

function places(board) {
  return [...board.querySelectorAll("button.place:not(:disabled)")];
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

// Where an element is, in parts of a board's width and height.
function spot(element, board) {
  const box = board.getBoundingClientRect(), [x, y] = middle(element);
  return [(x - box.left) / box.width, (y - box.top) / box.height];
}

// One place of a board is in the order of the Tab key; the arrow keys lead to the others. It is the one that had the
// focus; where that cannot be chosen any more, the one nearest to it, to the last move, or to the middle.
function rove(board, held) {
  const all = places(board), last = board.querySelector(".marked, .look-last");
  const at = held?.at || (last ? spot(last, board) : [0.5, 0.5]);
  const far = (place) => Math.hypot(...spot(place, board).map((part, i) => part - at[i]));
  const chosen = all.find((place) => place.value === held?.value)
    || (!held?.at && all.find((place) => place.getAttribute("tabindex") === "0"))
    || all.reduce((best, place) => far(place) < far(best) ? place : best, all[0]);
  for (const place of all) place.tabIndex = place === chosen ? 0 : -1;
  return chosen;
}

function nearest(from, all, dx, dy) {
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const place of all) {
    const [px, py] = middle(place);
    const along = (px - x) * dx + (py - y) * dy, across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (place !== from && along > 1 && along + 2.5 * across < least) [best, least] = [place, along + 2.5 * across];
  }
  return best;
}

// Empties the panel of reasons, and takes a hint off the board; the focus in it would be lost, and goes back to where they
// were asked for.
let asker = null;
function dismiss(panel) {
  const held = panel?.contains(document.activeElement);
  panel?.replaceChildren();
  unmark();
  if (held) (asker?.isConnected ? asker : byId("why") || query('[aria-keyshortcuts="h"], .log a'))?.focus();
}

// Somebody who does not see the page hears its status and what is said of a move, not all of its figures.
function say(words) {
  const said = byId("said");
  if (said) said.textContent = words;
}

function unmark() {
  const hint = query(".advice[data-best]");
  hint?.replaceChildren();
  hint?.removeAttribute("data-best");
}

on("keydown", (event) => {
  // A key that is held down would take back one move after the other.
  if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select")) return;
  if (event.key === "Escape") dismiss(query("#panel:has(.close)"));
  // Elsewhere a letter may be meant for something else, such as dictation.
  else if (event.target.closest?.("#session, #panel") && /^[a-z]$/.test(event.key)) query(`[aria-keyshortcuts="${event.key}"]`)?.click();
});
on("click", (event) => {
  if (event.target.closest?.(".close")) dismiss(event.target.parentElement);
});
// Why not there? What is disabled has no clicks.
document.addEventListener("pointerup", ({target}) => {
  const field = document.querySelector("#panel [name=not]:required");
  if (!field || !target.matches(".place:disabled")) return;
  field.value = target.value;
  field.form.requestSubmit();
});

const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
// As far as places go.
const FAR = {Home: [-1, 0], End: [1, 0], PageUp: [0, -1], PageDown: [0, 1]};
// Where the focus comes back to what it was on, once an answer has replaced that.
const HELD = "#session, #run, .setting-up";
let focused = null;

on("keydown", (event) => {
  const arrow = ARROWS[event.key] || FAR[event.key], board = event.target.closest?.("svg.diagram");
  if (!arrow || !board || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const all = places(board);
  let next = nearest(event.target, all, ...arrow);
  for (let far = next; far && FAR[event.key]; far = nearest(far, all, ...arrow)) next = far;
  if (next) rove(board, next).focus();
});

// Says at once that reasons are being worked out, which may compile a search first, and for how long; gives that line.
function working(panel) {
  const line = document.createElement("p"), time = document.createElement("span"), begun = Date.now();
  line.className = "faint working";
  time.ariaHidden = "true"; // not every second is read out
  line.append("Working it out", time);
  panel.replaceChildren(line);
  say("Working it out");
  const timer = setInterval(() => {
    if (line.isConnected) time.textContent = `: ${Math.round((Date.now() - begun) / 1000)} s`;
    else clearInterval(timer);
  }, 1000);
  return line;
}

on("htmx:before:request", (event) => {
  const {ctx} = event.detail, {sourceElement, target} = ctx;
  if (document.hidden && sourceElement.hasAttribute("data-polls")) event.preventDefault();
  else if (target?.id === "panel") {
    // A question in the panel is gone with it, and its answer has it again.
    if (target.contains(sourceElement)) focused = {id: document.activeElement.id};
    else asker = sourceElement;
    unmark();
    ctx.line = working(target);
  }
});
// The server does not answer, or it does again.
on("htmx:error", (event) => {
  if (event.detail.error instanceof TypeError) byId("lost").hidden = false;
  query(".working")?.remove();
});
on("htmx:after:request", (event) => {
  byId("lost").hidden = true;
  // Something newer was asked, or a move made, before these reasons came: they are not wanted any more.
  if (event.detail.ctx.line?.isConnected === false) event.preventDefault();
});
// What a reader unfolds stays open while newer figures replace it; a summary tells which it is, but for its numbers.
const folds = new Map(), figures = "#run details, #trial details";
const about = (fold) => fold.firstElementChild.textContent.replace(/[0-9]+/g, "");
on("htmx:before:swap", () => {
  const held = document.activeElement, board = held?.closest("svg.diagram");
  if (held?.closest(HELD)) focused = {id: held.id, value: held.value, name: held.name, at: board && spot(held, board)};
  else if (held !== document.body) focused = null;
  for (const fold of queryAll(figures)) folds.set(about(fold), fold.open);
});
on("htmx:after:swap", () => {
  for (const fold of queryAll(figures)) fold.open = folds.get(about(fold)) ?? fold.open;
});
on("htmx:after:settle", ({target}) => {
  if (target.id === "panel") say([...target.querySelectorAll("h2, .sentence")].map((part) => part.textContent).join(". "));
  for (const board of queryAll("svg.diagram")) rove(board, focused);
  // While a player thinks nothing on the board takes the focus: it waits for the next answer.
  if (!focused || document.activeElement !== document.body) return;
  const session = query(HELD), open = [...session.querySelectorAll("button:not(:disabled)")];
  const same = focused.id ? byId(focused.id)
    : open.find((button) => button.name === focused.name && button.value === focused.value);
  const board = session.querySelector("svg.diagram");
  const to = same || (board && rove(board, focused)) || session.querySelector(".moves button, .ended");
  if (to) {
    to.closest("details")?.setAttribute("open", "");
    to.focus({preventScroll: true});
    focused = null;
  }
});

for (const field of queryAll("input[type=file][data-fills]")) {
  field.addEventListener("change", async () => {
    if (field.files.length) byId(field.dataset.fills).value = await field.files[0].text();
  });
}
for (const board of queryAll("svg.diagram")) rove(board);
byId("status")?.focus({preventScroll: true});
// A click is seen at once, however long the server takes.
on("submit", ({submitter}) => submitter?.classList.toggle("pressed"));
// A slider and the number beside it are one weight; what is sent is the number.
function fit(field) {
  const slider = byId(field.dataset.pair), scale = slider.parentElement.dataset, number = field.value.replace(",", ".");
  scale.usual ??= scale.most;
  if (!(Math.abs(number) <= field.form.dataset.most)) return;
  scale.most = Math.max(scale.usual, Math.abs(number));
  [slider.min, slider.max, slider.value] = [-scale.most, scale.most, number];
}
on("input", (event) => {
  if (event.target.dataset?.pair) fit(event.target);
  else if (event.target.type === "range") {
    const number = query(`[data-pair="${event.target.id}"]`);
    if (number) number.value = event.target.value;
  }
});
