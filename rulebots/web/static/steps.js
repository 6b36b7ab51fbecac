// Going through a game without loading its page again: links to a position, the slider below the review, and play and
// pause. Where no person plays, the next move is asked for at the same pace. Pictures are saved as PNG too.
"use strict";
let playing = null, pace = "1000", at = null, beside = null;

function session() {
  return byId("session");
}

function go(address) {
  return htmx.ajax("GET", address, {target: "#session", swap: "outerHTML"});
}

// What stands below the board follows it.
function follow() {
  const shown = session(), slider = byId("at");
  if (!shown) return;
  const {ply, last, line} = shown.dataset;
  // A hint, or the reasons for a move, must not stand beside another position, unless it is of a line of theirs.
  if (beside !== null && beside !== ply && line === undefined) dismiss(byId("panel"));
  beside = ply;
  // The move that is shown is in sight in the list of moves, without moving the page.
  const log = shown.querySelector(".log"), move = log?.querySelector("[aria-current]");
  if (move) {
    const [outer, inner] = [log.getBoundingClientRect(), move.getBoundingClientRect()];
    // Lines fade out below the upper edge.
    log.scrollTop += Math.min(0, inner.top - outer.top - 16) + Math.max(0, inner.bottom - outer.bottom);
  }
  if (playing === null) playing = shown.getAttribute("hx-trigger") === "pace";
  if (slider && document.activeElement !== slider) slider.value = ply;
  const stop = query(`.review [data-ply="${ply}"]`);
  for (const end of ["x1", "x2"]) if (stop) query(".review .at")?.setAttribute(end, stop.dataset.x);
  for (const button of queryAll("[data-png]")) button.hidden = false;
  const play = byId("play"), speed = byId("pace");
  if (!play) return;
  play.hidden = speed.hidden = last === "0" && !shown.hasAttribute("data-polls");
  play.textContent = playing ? "Pause" : ply === last && !shown.hasAttribute("data-polls") ? "Replay" : "Play";
  speed.value = pace;
}

function step() {
  const shown = session();
  if (playing && shown && !document.hidden) {
    const ply = Number(shown.dataset.ply), last = Number(shown.dataset.last);
    if (ply < last) go(byId("step-on").getAttribute("href"));
    else if (shown.getAttribute("hx-trigger") === "pace") htmx.trigger(shown, "pace");
    else if (last) {
      playing = false;
      follow();
    }
  }
  setTimeout(step, Number(pace));
}

// The browser draws the SVG, and writes what it has drawn.
async function save(address) {
  const picture = new Image(), canvas = document.createElement("canvas"), link = document.createElement("a");
  picture.src = address;
  await picture.decode();
  [canvas.width, canvas.height] = [2 * picture.naturalWidth, 2 * picture.naturalHeight];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  link.href = URL.createObjectURL(await new Promise((done) => canvas.toBlob(done, "image/png")));
  link.download = `${address.split("/")[2].split("~")[0]}-${address.split("=")[1]}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

on("click", (event) => {
  const png = event.target.closest?.("[data-png]");
  if (png) save(png.dataset.png);
  const review = event.target.closest?.('.ended [hx-target="#review"]') && byId("review");
  if (review?.getBoundingClientRect().bottom > innerHeight) review.scrollIntoView();
  const link = event.target.closest?.("#session a, #review a, #panel a"), button = event.target.closest?.("#play");
  if (button) {
    playing = !playing;
    if (playing && session().dataset.ply === session().dataset.last && !session().hasAttribute("data-polls")) {
      go(byId("step-first").getAttribute("href"));
    }
    follow();
  }
  const address = link?.getAttribute("href") || "", reasons = address.includes("/why?");
  if (reasons) playing = false;
  if (!session() || event.ctrlKey || event.metaKey || event.shiftKey || !(reasons || /^\/game\/[^/?]+(\?ply=.*)?$/.test(address))) return;
  event.preventDefault();
  if (reasons) {
    // Reasons stand beside the board on which the move was made.
    if (link.dataset.board) go(link.dataset.board).then(() => {
      follow();
      const source = query(`a[href="${address}"]:not(#why)`); // the list is another one now
      htmx.ajax("GET", `${address}&at=${beside}`, {source, target: "#panel"});
    });
    return;
  }
  // Where a step leads nowhere, an open menu stays open.
  if (link.ariaDisabled) return;
  playing = false;
  go(address);
  if (!link.closest("#session")) query(".table").scrollIntoView({block: "nearest"});
});
// Escape takes back the first half of a move: to choose it again may be a move of its own.
on("keydown", (event) => {
  const form = event.key === "Escape" && query('.board:has([name="chosen"]:not([value=""]))');
  if (form) go(form.getAttribute("action").replace(/\/place$/, ""));
});
on("change", (event) => {
  if (event.target.id === "pace") pace = event.target.value;
});
on("input", (event) => {
  if (event.target.id !== "at" || !session()) return;
  playing = false;
  clearTimeout(at);
  at = setTimeout(() => go(`${event.target.form.getAttribute("action")}?ply=${event.target.value}`), 120);
});
on("htmx:after:settle", (event) => {
  follow();
  if (event.target.id !== "panel") return;
  for (const part of queryAll(".table, #panel h2")) part.scrollIntoView({block: "nearest"});
});
follow();
setTimeout(step, Number(pace));
