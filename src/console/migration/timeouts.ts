import { type Html, html } from '#src/http/pages/html.js';
import type { ConsoleVisit } from '../http/visit.js';
import { migrationTexts } from './texts/texts.js';

const timeouts = ['30m', '2h', '8h', '23h'] as const;
const usual = '2h';

/** One of the durations that a form offers. */
export function timeoutOf(text: string | undefined): string {
  return timeouts.find((one) => one === text) ?? usual;
}

/** A choice of how long a job may take. Of several on one page, each has a name of its own. */
export function timeoutField({ language }: ConsoleVisit, value: string = usual, name = 'file'): Html {
  const texts = migrationTexts[language];
  const id = `f-timeout-${name}`;
  const unit = (text: string) => {
    const isHours = text.endsWith('h');
    return new Intl.NumberFormat(language, {
      style: 'unit',
      unit: isHours ? 'hour' : 'minute',
      unitDisplay: 'long',
    }).format(Number.parseInt(text, 10));
  };
  return html`<div class="field"><label for="${id}">${texts.timeout}</label><select id="${id}" name="timeout" aria-describedby="${id}-hint">${timeouts.map(
    (one) => html`<option value="${one}"${one === value && html` selected`}>${unit(one)}</option>`,
  )}</select><p class="hint" id="${id}-hint">${texts.timeoutHint}</p></div>`;
}
