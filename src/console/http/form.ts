import { csrfToken } from '#src/http/auth/csrf.js';
import { areaText, type Html, type HtmlValue, html, withValues } from '#src/http/pages/html.js';
import { withoutQuery } from './api.js';
import type { ConsoleVisit } from './visit.js';

/** What a form must know of the visit. */
type FormVisit = Pick<ConsoleVisit, 'session' | 'at' | 'draft'>;

export interface FormOptions {
  /** The path to which the form is posted. Its token works only there. */
  readonly action: string;
  readonly content: HtmlValue;
  readonly hidden?: Readonly<Record<string, string>>;
  /**
   * Hidden fields with what the page showed of the object, such as its version. The route compares them, to notice that somebody else
   * changed the object meanwhile. When a form is shown again after a sign-in, they keep their former values.
   */
  readonly shown?: Readonly<Record<string, string>>;
  readonly className?: string;
  /** For files. The route reads the body itself. */
  readonly isMultipart?: boolean;
}

/** The identifier of the form in the page that has what was typed before a sign-in. */
export const returnedId = 'returned';

/** A form for a POST, with the proof that this page was made for this session. */
export function form(visit: FormVisit, options: FormOptions): Html {
  const { session, at } = visit;
  const { action, content, hidden = {}, shown = {}, className, isMultipart } = options;
  const typed = isReturned(visit, action) ? visit.draft?.typed : undefined;
  const formerly = Object.entries(shown).map(([name, value]) => [name, typed?.[name]?.[0] ?? value] as const);
  const fields = { csrf: formToken(session, action), ...hidden, ...Object.fromEntries(formerly) };
  return html`<form method="post" action="${at(action)}"${typed !== undefined && html` id="${returnedId}"`}${
    className !== undefined && html` class="${className}"`
  }${isMultipart === true && html` enctype="multipart/form-data"`}>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${typed === undefined ? content : withValues(html`${content}`, typed)}
</form>`;
}

/** Whether the person sent the form before a sign-in, so that it did nothing. */
export function isReturned({ draft }: Pick<FormVisit, 'draft'>, action: string): boolean {
  return draft?.action === withoutQuery(action);
}

/** The token of the forms that a session posts to a path. A query at its end does not count. */
export function formToken({ secret }: ConsoleVisit['session'], action: string): string {
  return csrfToken({ secret, hash: '' }, `console ${withoutQuery(action)}`);
}

export interface Field {
  readonly name: string;
  readonly label: HtmlValue;
  readonly type?:
    | 'text'
    | 'email'
    | 'url'
    | 'number'
    | 'date'
    | 'datetime-local'
    | 'color'
    | 'search'
    | 'password'
    | 'file';
  readonly value?: string | undefined;
  readonly hint?: HtmlValue;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** The steps of a number, such as `any` for one with decimals, or of a moment, in seconds. */
  readonly step?: string;
  /** The identifier of the datalist whose values the browser suggests. */
  readonly suggestions?: string;
  /** An address that answers this datalist anew while the person types. */
  readonly suggestFrom?: string;
  /** Lets the person write several lines. */
  readonly rows?: number;
  /** Exact text, such as an address or an identifier, in a font in which similar letters differ. */
  readonly isExact?: boolean;
  /** The types of files that the browser offers first. */
  readonly accept?: string;
  /** Shows dots, as for a password. A browser offers to remember passwords, but no such field. */
  readonly isMasked?: boolean;
}

/** A field with its label. Screen readers read its hint with it. */
export function field(options: Field): Html {
  const { name, label, type = 'text', value = '', hint, isRequired, maxLength, rows, placeholder } = options;
  const id = `f-${name}`;
  const common = html` id="${id}" name="${name}"${[
    isRequired === true && html` required`,
    maxLength !== undefined && html` maxlength="${maxLength}"`,
    placeholder !== undefined && html` placeholder="${placeholder}"`,
    options.accept !== undefined && html` accept="${options.accept}"`,
    options.step !== undefined && html` step="${options.step}"`,
    options.suggestions !== undefined && html` list="${options.suggestions}"`,
    options.suggestFrom !== undefined &&
      html` hx-get="${options.suggestFrom}" hx-trigger="input changed delay:250ms" hx-target="#${options.suggestions}" hx-swap="outerHTML"`,
    options.isExact === true &&
      html` class="exact${options.isMasked === true && ' masked'}" autocapitalize="none" spellcheck="false"`,
    hint !== undefined && html` aria-describedby="${id}-hint"`,
  ]} autocomplete="${type === 'password' ? 'new-password' : 'off'}"`;
  return html`<div class="field">
<label for="${id}">${label}</label>
${rows === undefined ? html`<input type="${type}"${type !== 'file' && html` value="${value}"`}${common}>` : html`<textarea rows="${rows}"${common}>${areaText(value)}</textarea>`}
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

export interface FormChoice {
  readonly value: string;
  readonly label: string;
  /** The heading of the choices among which it stands. Those of one group follow each other. */
  readonly group?: string;
}

/** A choice of one value from a list. A value that is no choice is one more, so that the form changes nothing by itself. */
export function select(options: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly FormChoice[];
  readonly value?: string | undefined;
  readonly hint?: HtmlValue;
  readonly isRequired?: boolean;
}): Html {
  const { name, label, choices, value, hint, isRequired } = options;
  const id = `f-${name}`;
  const isOther = value !== undefined && value !== '' && !choices.some((choice) => choice.value === value);
  const all = isOther ? [{ value, label: value }, ...choices] : choices;
  return html`<div class="field">
<label for="${id}">${label}</label>
<select id="${id}" name="${name}"${isRequired === true && html` required`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
${all.map((choice, at) => html`${groupEdge(all, at)}<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`)}${all.at(-1)?.group !== undefined && html`</optgroup>`}
</select>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

/** The tags between a choice and the one before, if they stand in different groups. */
function groupEdge(choices: readonly FormChoice[], at: number): Html | undefined {
  const [before, group] = [choices[at - 1]?.group, choices[at]?.group];
  if (before === group) return undefined;
  return html`${before !== undefined && html`</optgroup>`}${group !== undefined && html`<optgroup label="${group}">`}`;
}

/** A box to tick, or one of several with the same name. */
export function checkbox(options: {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly isChecked?: boolean;
  readonly hint?: HtmlValue;
  readonly type?: 'checkbox' | 'radio';
}): Html {
  const { name, label, value = 'on', isChecked, hint, type = 'checkbox' } = options;
  const id = `f-${name}-${value}`;
  return html`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${value}"${isChecked === true && html` checked`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
<label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`;
}

/** The button that sends a form, and what stands beside it. */
export function buttons(
  label: string,
  more: {
    isDangerous?: boolean;
    /** Another way to send the same form: the field that this button adds. */
    other?: { name: string; value: string; label: string };
    cancel?: { href: string; label: string };
  } = {},
): Html {
  const { isDangerous, other, cancel } = more;
  return html`<p class="buttons"><button type="submit"${isDangerous === true && html` class="danger"`}>${label}</button>${
    other !== undefined &&
    html`<button type="submit" class="quiet" name="${other.name}" value="${other.value}">${other.label}</button>`
  }${cancel !== undefined && html`<a class="button quiet" href="${cancel.href}">${cancel.label}</a>`}</p>`;
}

/** A form of one button, for a row or a list of actions. */
export function actionButton(
  visit: FormVisit,
  {
    action,
    label,
    hidden,
    isDangerous,
  }: { action: string; label: string; hidden?: Record<string, string>; isDangerous?: boolean },
): Html {
  const content = html`<button type="submit" class="${isDangerous === true ? 'quiet danger' : 'quiet'}">${label}</button>`;
  return form(visit, { action, content, ...(hidden && { hidden }), className: 'inline' });
}
