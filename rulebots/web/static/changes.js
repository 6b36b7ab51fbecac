// Of a game's page the server sends only what has changed since the part that this page holds: texts that are new, and
// pairs of numbers, from which line to which one the part before stays.
"use strict";
let held = null;
const changing = new WeakMap();

document.addEventListener("htmx:before:request", (event) => {
  const ctx = event.detail.ctx;
  if (!held || ctx.target?.id !== "session") return;
  changing.set(ctx, held.lines);
  ctx.request.headers["rulebots-holds"] = held.digest;
});
document.addEventListener("htmx:after:request", (event) => {
  const ctx = event.detail.ctx, digest = ctx.response.headers.get("rulebots-part");
  if (!digest) return;
  if (ctx.response.headers.get("content-type").startsWith("application/json")) {
    const before = changing.get(ctx);
    ctx.text = JSON.parse(ctx.text).map((piece) => (typeof piece === "string" ? piece : before.slice(...piece).join("\n"))).join("\n");
  }
  held = {digest, lines: ctx.text.split("\n")};
});
