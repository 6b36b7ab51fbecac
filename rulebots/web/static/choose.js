// A list whose groups belong to the choice in another list shows those of that choice only. Without it all are shown.
"use strict";

for (const list of document.querySelectorAll("select[data-grouped-by]")) {
  const other = document.getElementById(list.dataset.groupedBy);
  const show = () => {
    for (const group of list.querySelectorAll("optgroup")) group.hidden = group.disabled = group.dataset.group !== other.value;
    if (list.selectedOptions[0]?.parentElement.disabled) list.selectedIndex = 0;
  };
  other.addEventListener("change", show);
  show();
}
