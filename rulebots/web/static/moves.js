// What boards do besides being clicked: what has moved is seen to move, a hint's move without a place is marked among the
// buttons, and a finger sees places that are too small for it magnified before it chooses one.
"use strict";

const STILL = matchMedia("(prefers-reduced-motion: reduce)"), COARSE = matchMedia("(pointer: coarse)");
// Pixels: a place that a finger finds, and what a smaller one is magnified to.
const FINGER = 24, MAGNIFIED = 44;

// The frames of a piece are `time dx dy there`, parted by `;`.
function keyframes(text) {
  return text.split(";").map((frame) => {
    const [offset, dx, dy, there] = frame.split(" ").map(Number);
    return {offset, transform: `translate(${dx}px, ${dy}px)`, opacity: there, easing: "ease-in-out"};
  });
}

function show() {
  for (const board of document.querySelectorAll("svg[data-milliseconds]")) {
    const duration = Number(board.dataset.milliseconds);
    board.removeAttribute("data-milliseconds");
    for (const piece of board.querySelectorAll("[data-frames]")) {
      const motion = STILL.matches ? null : piece.animate(keyframes(piece.dataset.frames), {duration});
      if (!piece.classList.contains("gone")) continue;
      if (motion) motion.finished.then(() => piece.remove(), () => {});
      else piece.remove();
    }
  }
  const best = document.querySelector("svg.advice[data-best]")?.dataset.best;
  for (const button of document.querySelectorAll(".moves button")) {
    button.classList.toggle("advised", best !== undefined && button.value === best);
  }
}

function magnify(board, place) {
  const lens = board.cloneNode(true), {x, y, width, height} = place.parentElement;
  const side = Math.min(width.baseVal.value, height.baseVal.value), whole = board.viewBox.baseVal;
  const box = board.getBoundingClientRect(), wide = Math.min(whole.width, side * box.width / MAGNIFIED);
  const tall = Math.min(whole.height, wide * box.height / box.width);
  const within = (middle, span, most) => Math.max(0, Math.min(middle - span / 2, most - span));
  const left = within(x.baseVal.value + width.baseVal.value / 2, wide, whole.width);
  const top = within(y.baseVal.value + height.baseVal.value / 2, tall, whole.height);
  lens.setAttribute("viewBox", `${left} ${top} ${wide} ${tall}`);
  lens.setAttribute("aria-label", `Magnified around ${place.ariaLabel}: choose again`);
  lens.classList.add("lens");
  board.parentElement.append(lens);
  const same = lens.querySelector(`button.place[value="${CSS.escape(place.value)}"]`);
  same.classList.add("chosen");
  same.focus({preventScroll: true});
}

document.addEventListener("click", (event) => {
  const lens = document.querySelector(".lens"), place = event.target.closest?.("button.place");
  if (lens?.contains(event.target)) return;
  lens?.remove();
  const finger = event.pointerType ? event.pointerType !== "mouse" : COARSE.matches;
  if (!place || !finger || event.detail === 0) return;
  const box = place.getBoundingClientRect();
  if (Math.min(box.width, box.height) >= FINGER) return;
  event.preventDefault();
  magnify(place.closest("svg"), place);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.querySelector(".lens")?.remove();
});
document.addEventListener("htmx:after:settle", show);
show();
