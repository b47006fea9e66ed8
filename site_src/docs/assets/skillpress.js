// Two small conveniences: "/" finds, hashes copy. Every page works without them; browse.js is the browse page's.
(() => {
  "use strict";

  const find = document.querySelector("[data-sp-find]");
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = document.querySelector("[data-sp-filters] [name=q]") || find;
    if (!box) return;
    event.preventDefault();
    box.focus();
    box.select();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-sp-copy]");
    if (!button) return;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.spCopy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => { button.textContent = label; }, 1600);
  });
})();
