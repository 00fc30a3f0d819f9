import { hash } from 'node:crypto';
import type { Language } from '../base/language.js';
import { type Html, html } from './html.js';

/** What the buttons say. A missing text is a type error. */
const copyTexts: Readonly<Record<Language, { readonly copy: string; readonly copied: string }>> = {
  en: { copy: 'Copy', copied: 'Copied' },
  de: { copy: 'Kopieren', copied: 'Kopiert' },
  fr: { copy: 'Copier', copied: 'Copié' },
  es: { copy: 'Copiar', copied: 'Copiado' },
  it: { copy: 'Copia', copied: 'Copiato' },
};

/** An exact value, such as an identifier or an address. The script of the page puts a button for copying beside it. */
export function exact(value: string): Html {
  return html`<code data-copy>${value}</code>`;
}

/** Lines to copy exactly: a file, or commands for a terminal. */
export function codeBlock(text: string, of: { readonly file?: string; readonly run?: true } = {}): Html {
  const { file, run } = of;
  return html`<pre tabindex="0" data-copy${file !== undefined && html` data-file="${file}"`}${run && html` data-run`}>${text}</pre>`;
}

/** Whether the page has values to copy, so that it needs {@link copyScript}. */
export function hasCopies(page: Html): boolean {
  return page.toString().includes(' data-copy');
}

/**
 * Puts a button beside each element with `data-copy`, also beside those that come later, and tells screen readers what was copied. Without
 * JavaScript there is no button, and the value can be selected. The value is read when the button is pressed, and is kept nowhere. A
 * browser offers its clipboard only to https and to its own machine. Elsewhere the value is selected and copied as by a key.
 */
export const copyScript = `{
const texts = ${JSON.stringify(copyTexts)};
const words = texts[document.documentElement.lang] || texts.en;
const said = document.createElement('div');
said.className = 'copy-said';
said.setAttribute('role', 'status');
document.body.append(said);
const valueOf = (one) =>
  one.tagName === 'OL' ? [...one.children].map((item) => item.textContent).join('\\n') : one.textContent;
function labelOf(one) {
  const named = one.closest('.facts div')?.querySelector('dt') || one.closest('.once')?.querySelector('strong');
  if (named) return named.textContent;
  const heading = one.closest('section, article, main')?.querySelector('h2, h1');
  return one.tagName === 'CODE' && valueOf(one).length < 100 ? valueOf(one) : heading ? heading.textContent : '';
}
function selected(one) {
  getSelection().selectAllChildren(one);
  return document.execCommand('copy');
}
async function copy(one, button) {
  const isDone = navigator.clipboard
    ? await navigator.clipboard.writeText(valueOf(one)).then(() => true, () => selected(one))
    : selected(one);
  if (!isDone) return;
  const shown = button.firstElementChild;
  shown.textContent = words.copied;
  said.textContent = words.copied;
  setTimeout(() => {
    shown.textContent = words.copy;
    said.textContent = '';
  }, 3000);
}
function addButtons() {
  for (const one of document.querySelectorAll('[data-copy]:not([data-copy-ready])')) {
    one.dataset.copyReady = '';
    if (one.closest('summary, a, button, label')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = one.tagName === 'CODE' ? 'copy' : 'copy block';
    const label = document.createElement('span');
    label.className = 'copy-said';
    label.textContent = ' ' + labelOf(one);
    button.append(document.createElement('span'), label);
    button.firstElementChild.textContent = words.copy;
    button.addEventListener('click', () => copy(one, button));
    if (one.tagName === 'PRE') one.before(button);
    else one.after(button);
  }
}
addButtons();
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
}
`;

/** The path changes with the content, so that browsers may cache it for ever. */
export const copyPath = `/login/assets/${hash('sha256', copyScript, 'hex').slice(0, 16)}.js`;

/** The rules that every style sheet has for the buttons. */
export const copyRules = `button.copy{display:inline-flex;width:auto;min-height:1.75rem;margin:.1rem 0 .1rem .5rem;padding:.05rem .55rem;font-size:.8rem;font-weight:600;vertical-align:middle;background:transparent;color:var(--ink);border:1px solid var(--edge);border-radius:.4rem}
button.copy:hover{background:var(--ground)}
button.copy.block{display:flex;margin:.5rem 0 .35rem auto}
.copy-said{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;
