import { type Html, html } from './html.js';

/** The attribute that names the field of a button. Markup with it needs {@link revealScript}. */
export const revealMarker = ' data-reveals="';

/**
 * Shows the buttons of {@link revealButton}, which are hidden without JavaScript, and makes them work. A form is sent with its
 * fields as passwords, so that browsers do not remember their text.
 */
export const revealScript = `for(const b of document.querySelectorAll('[data-reveals]')){
const i=document.getElementById(b.dataset.reveals);
const show=(on)=>{i.type=on?'text':'password';b.setAttribute('aria-pressed',on)};
b.hidden=false;
b.addEventListener('click',()=>{show(i.type==='password');i.focus()});
i.form.addEventListener('submit',()=>show(false))}`;

/** The button in a password field that shows what was typed. */
export function revealButton(fieldId: string, label: string): Html {
  return html`<button type="button" hidden data-reveals="${fieldId}" aria-pressed="false" aria-label="${label}" title="${label}">
<svg class="on" viewBox="0 0 24 24" aria-hidden="true"><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="2.8"/></svg>
<svg class="off" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.7M6.2 7.6A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-.95M10 10a2.8 2.8 0 0 0 4 4"/></svg></button>`;
}
