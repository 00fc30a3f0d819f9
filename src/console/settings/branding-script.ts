import { hash } from 'node:crypto';

/**
 * Keeps the picker and the text of the colour the same, and shows in the previews what is typed. Without it the previews show what is saved.
 * Its names are its own, because scripts of a page share theirs.
 */
export const brandingScript = `(() => {
const [text, pick, logo] = ['brandColor', 'brandColorPick', 'logoUrl'].map((name) => document.getElementById('f-' + name));
let waiting;
function show() {
  for (const frame of document.querySelectorAll('#branding iframe')) {
    const address = new URL(frame.src);
    address.searchParams.set('brandColor', text.value.trim());
    address.searchParams.set('logoUrl', logo.value.trim());
    // Leaves no step in the history of the browser.
    frame.contentWindow.location.replace(address.href);
  }
}
function later() {
  clearTimeout(waiting);
  waiting = setTimeout(show, 400);
}
pick.addEventListener('input', () => {
  text.value = pick.value;
  later();
});
text.addEventListener('input', () => {
  if (/^#[0-9a-f]{6}$/i.test(text.value.trim())) pick.value = text.value.trim().toLowerCase();
  later();
});
logo.addEventListener('input', later);
if (text.value !== text.defaultValue || text.form.elements.brandColorShown.value !== text.value) later();
})();
`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const brandingScriptPath = `/console/assets/${hash('sha256', brandingScript, 'hex').slice(0, 16)}.js`;
