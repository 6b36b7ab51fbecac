// What belongs to the choice in a list is shown only with that choice; without this all of it is.
"use strict";

for (const list of queryAll("[data-grouped-by]")) {
  const other = byId(list.dataset.groupedBy);
  const show = () => {
    for (const group of list.querySelectorAll("[data-group]")) group.hidden = group.disabled = group.dataset.group !== other.value;
    if (list.selectedOptions?.[0]?.parentElement.disabled) list.selectedIndex = 0;
    // An empty number fits the time, or is as usual for the game, which its option says.
    const timed = byId("time").value;
    for (const [name, usual] of Object.entries(other.selectedOptions[0].dataset)) byId(name).placeholder = timed ? "" : usual;
  };
  other.form.addEventListener("change", show);
  show();
}
