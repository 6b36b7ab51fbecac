// What belongs to the choice in a list is shown only with that choice; without this all of it is.
"use strict";

for (const list of document.querySelectorAll("[data-grouped-by]")) {
  const other = document.getElementById(list.dataset.groupedBy);
  const show = () => {
    for (const group of list.querySelectorAll("[data-group]")) group.hidden = group.disabled = group.dataset.group !== other.value;
    if (list.selectedOptions?.[0]?.parentElement.disabled) list.selectedIndex = 0;
    // An empty number fits the time, or is as usual for the game, which its option says.
    const timed = document.getElementById("time").value;
    for (const [name, usual] of Object.entries(other.selectedOptions[0].dataset)) document.getElementById(name).placeholder = timed ? "" : usual;
  };
  other.form.addEventListener("change", show);
  show();
}
