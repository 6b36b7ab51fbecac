// Tuning: back to the weights of the file, row by row or all, and undo. Without it weights are typed and tried by a button.
"use strict";

const form = byId("weights"), weights = [...queryAll("[data-file]")], undone = [];
const former = new Map(weights.map((field) => [field, field.value]));
const [undo, all, save, file] = ["undo", "reset-all", "save", "file"].map(byId);
const changed = (field) => field.value !== field.dataset.file, values = () => weights.map((field) => field.value).join();
let kept = "", proposed = ""; // as they were last saved, and the name that was proposed then
const unsaved = () => weights.some(changed) && values() !== kept;

function show() {
  for (const button of queryAll("button.reset"))
    button.hidden = ![...button.closest("tr").querySelectorAll("[data-file]")].some(changed);
  all.disabled = !weights.some(changed);
  undo.disabled = !undone.length;
  const name = file.value.trim(), right = /^\w([\w -]{0,80}|[\w. -]{0,80}\.ya?ml)$/.test(name);
  file.parentElement.dataset.wrong = right ? "" : "Expected a name such as mine.yaml: up to 80 letters, digits or . - _";
  file.ariaInvalid = right ? null : "true";
  save.disabled = !right || all.disabled || (values() === kept && file.value === proposed);
}

// Sets weights at once, and has them tried; `step` is what undo sets again.
function set(values, step) {
  for (const [field, value] of values) {
    field.value = value;
    check(field);
    fit(field);
    former.set(field, value);
  }
  if (step) undone.push(step);
  show();
  values[0][0].dispatchEvent(new Event("change", {bubbles: true}));
}

// What the file could not hold is not sent, and no step that undo leads back to; a comma stands for a decimal point.
function check(field) {
  field.value = field.value.trim().replace(",", ".");
  const {most} = form.dataset, right = Math.abs(field.value) <= most;
  field.parentElement.dataset.wrong = right ? "" : `Expected a number from -${most} to ${most}`;
  field.setCustomValidity(field.parentElement.dataset.wrong);
  field.ariaInvalid = right ? null : "true";
  return right;
}

function reset(fields) {
  const away = fields.filter(changed);
  if (away.length) set(away.map((field) => [field, field.dataset.file]), away.map((field) => [field, field.value]));
}

byId("reset").hidden = false;
form.addEventListener("change", (event) => {
  // An emptied field means the weight of the file, so it says that.
  const field = event.target;
  if (field.dataset.file && !field.value) {
    field.value = field.dataset.file;
    fit(field);
  }
  if (field.dataset.file && !check(field)) return event.stopPropagation();
  const step = weights.filter((field) => former.get(field) !== field.value).map((field) => [field, former.get(field)]);
  for (const [field] of step) former.set(field, field.value);
  if (step.length) undone.push(step);
  show();
}, true);
form.addEventListener("input", () => {
  query("#refused .message, #saved .message")?.remove();
  show();
});
// What is wrong is said at its field, and takes the focus of a button: it must be in sight.
form.addEventListener("invalid", (event) => {
  event.preventDefault();
  if (document.activeElement.dataset.file) return;
  event.target.closest("details")?.setAttribute("open", "");
  event.target.focus();
}, true);
addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
// The next file has another name: no file is overwritten.
on("htmx:after:swap", ({detail}) => {
  if (detail.ctx?.target?.id !== "saved" || !query("#saved a")) return;
  kept = values();
  // Four digits are the time of day, and no number of a file.
  proposed = file.value = file.value.trim().replace(/(?:-(\d{1,3}))?(\.ya?ml)?$/, (_, number = 1, ending = "") => `-${Number(number) + 1}${ending}`);
  show();
});
// A new name changes nothing that could be tried.
file.addEventListener("change", (event) => event.stopPropagation());
undo.addEventListener("click", () => set(undone.pop()));
all.addEventListener("click", () => reset(weights));
on("click", (event) => {
  const row = event.target.closest?.("button.reset")?.closest("tr");
  if (row) reset([...row.querySelectorAll("[data-file]")]);
});
show();
