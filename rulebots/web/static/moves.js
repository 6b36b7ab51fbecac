// What boards do besides being clicked: what has moved is seen to move, a hint's move without a place is marked among the
// buttons, and a finger sees places that are too small for it magnified before it chooses one.
"use strict";

const STILL = matchMedia("(prefers-reduced-motion: reduce)"), COARSE = matchMedia("(pointer: coarse)");
// Pixels: a place that a finger finds, and what a smaller one is magnified to.
const FINGER = 24, MAGNIFIED = 44;

// Milliseconds: until the next step begins, of one piece that moves, and of all together at most.
const STEP = 60, GLIDE = 260, LONGEST = 600, NEAR = 0.01;
let former = null;

function main() {
  return query(".board svg.diagram");
}

function centre({x, y, width, height}) {
  return {x: x + width / 2, y: y + height / 2};
}

// The pieces of a board, each with its key and the middle of its first shape.
function pieces(board) {
  const all = board ? [...board.querySelectorAll(".piece")] : [];
  return all.map((node) => ({
    node, key: node.dataset.key, step: Number(node.dataset.step || 0), ...centre(node.firstElementChild.getBBox()),
  }));
}

function box(board, name) {
  return board.querySelector(`button.place[value="${CSS.escape(name || "")}"]`)?.parentElement.getBBox();
}

function within(box, {x, y}) {
  return box && x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

// Matches the pieces of two boards: those that have not moved, and then those of the same key in the order of steps.
// Gives the pieces that have moved, each with the piece that it was, and the pieces that are gone.
function matched(board, before) {
  const left = [...before], moved = [];
  const take = (found) => found && left.splice(left.indexOf(found), 1)[0];
  for (const piece of pieces(board)) {
    const same = left.find((old) => old.key === piece.key && Math.abs(old.x - piece.x) + Math.abs(old.y - piece.y) < NEAR);
    if (!take(same)) moved.push(piece);
  }
  moved.sort((one, other) => one.step - other.step);
  for (const piece of moved) {
    const alike = left.filter((old) => old.key === piece.key), start = box(board, piece.node.dataset.start);
    piece.from = take(alike.find((old) => within(start, old)) || alike[0]);
    piece.start = start && centre(start);
  }
  return [moved, left];
}

function glide(node, frames, delay = 0) {
  return node.animate(frames, {duration: GLIDE, delay, easing: "ease-in-out", fill: "backwards"});
}

// What has moved since the board that was shown before glides, what is new appears, what is gone fades.
function animate() {
  const board = main();
  if (STILL.matches || !board || !former) return;
  const [moved, gone] = matched(board, former);
  const steps = [...new Set(moved.map((piece) => piece.step))], last = Math.max(steps.length - 1, 1);
  const step = Math.min(STEP, (LONGEST - GLIDE) / last);
  for (const piece of moved) {
    const {x, y} = piece.from || piece.start || piece;
    const start = {transform: `translate(${x - piece.x}px, ${y - piece.y}px)`, opacity: piece.from ? 1 : 0};
    glide(piece.node, [start, {transform: "none", opacity: 1}], step * steps.indexOf(piece.step));
  }
  for (const {node} of gone) {
    board.firstElementChild.append(node);
    glide(node, {opacity: [1, 0]}).finished.then(() => node.remove(), () => {});
  }
  // What is to be done comes after what has been.
  const status = query("#status strong");
  if (status && steps.length > 1) glide(status, {opacity: [0, 0, 1]}, step * (steps.length - 1));
}

// A card that can be chosen is lifted while it is pointed at. Squares, pits and columns light up instead.
function lift({target}) {
  const svg = target.closest?.("svg.diagram");
  svg?.style.setProperty("--px", `${1 / svg.getScreenCTM().a}px`); // the box around what has the focus
  for (const node of queryAll(".lifted")) node.classList.remove("lifted");
  const place = target.closest?.("button.place:not(:disabled, .oval, .chosen)"), board = place?.closest("svg.diagram");
  const box = place?.parentElement?.getBBox();
  if (!board || !box || box.height > 1.8 * box.width) return;
  pieces(board).findLast((piece) => within(box, piece))?.node.classList.add("lifted");
}

function advise() {
  const best = query("svg.advice[data-best]")?.dataset.best;
  for (const button of queryAll(".moves button")) {
    button.classList.toggle("advised", best !== undefined && button.value === best);
  }
}

function unmagnify() {
  for (const part of queryAll(".lens, .lens-bar")) part.remove();
}

function magnify(board, place) {
  const lens = board.cloneNode(true), {x, y, width, height} = place.parentElement.getBBox(), whole = board.viewBox.baseVal;
  const box = board.getBoundingClientRect(), wide = Math.min(whole.width, Math.min(width, height) * box.width / MAGNIFIED);
  const tall = Math.min(whole.height, wide * box.height / box.width);
  const clamp = (middle, span, most) => Math.max(0, Math.min(middle - span / 2, most - span));
  const left = clamp(x + width / 2, wide, whole.width);
  const top = clamp(y + height / 2, tall, whole.height);
  lens.setAttribute("viewBox", `${left} ${top} ${wide} ${tall}`);
  lens.setAttribute("aria-label", `Magnified around ${place.ariaLabel}: choose again`);
  lens.classList.add("lens");
  board.parentElement.append(lens);
  const bar = document.createElement("p"), back = document.createElement("button");
  bar.className = "lens-bar";
  [back.type, back.textContent] = ["button", "Whole board"];
  bar.append(`Magnified around ${place.value}: tap a place to choose it. `, back);
  board.parentElement.after(bar);
  const same = lens.querySelector(`button.place[value="${CSS.escape(place.value)}"]`);
  same.classList.add("chosen");
  same.focus({preventScroll: true});
}

// Whoever presses a place that cannot be chosen is shown what is wanted.
on("pointerdown", ({target}) => {
  if (target.closest?.(".place:disabled")) query("#status strong")?.animate({opacity: [1, 0.2, 1]}, 2 * GLIDE);
});
for (const kind of ["pointerover", "focusin"]) on(kind, lift);
on("click", (event) => {
  const lens = query(".lens"), place = event.target.closest?.("button.place");
  if (lens?.contains(event.target)) return;
  unmagnify();
  const finger = event.pointerType ? event.pointerType !== "mouse" : COARSE.matches;
  if (!place || !finger || event.detail === 0) return;
  const box = place.getBoundingClientRect();
  if (Math.min(box.width, box.height) >= FINGER) return;
  event.preventDefault();
  magnify(place.closest("svg"), place);
}, true);
on("keydown", (event) => {
  if (event.key === "Escape") unmagnify();
});
on("htmx:before:swap", () => { former = main() && pieces(main()); });
on("htmx:after:swap", (event) => {
  if (event.detail.ctx?.target?.id !== "panel") animate();
});
on("htmx:after:settle", advise);
advise();
