import type { Agent } from '../auth/agent-cookie.js';
import { csrfToken } from '../auth/csrf.js';
import { type Html, type HtmlValue, html } from './html.js';
import { revealButton } from './reveal-password.js';

export interface FormOptions {
  readonly action: string;
  readonly agent: Agent;
  /** What the form does. Its token works only for that. */
  readonly purpose: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly content: HtmlValue;
}

/** A form for a POST, with the proof that this service made it for this agent. */
export function form({ action, agent, purpose, hidden = {}, content }: FormOptions): Html {
  const fields = { csrf: csrfToken(agent, purpose), ...hidden };
  return html`<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${content}
</form>`;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'email';
  readonly value?: string | undefined;
  readonly autocomplete: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly isFocused?: boolean;
  /** The person sees the value and cannot change it. Programs that fill in passwords need it. */
  readonly isFixed?: boolean;
  /** The person may leave the field empty. */
  readonly isOptional?: boolean;
  /** The field is for a one-time code: digits in large letters. */
  readonly isCode?: boolean;
  /** The field is for a code of letters and digits that the service made. */
  readonly isTypedCode?: boolean;
  /** The label of the button that shows a password. Without it, there is no button. */
  readonly reveal?: string;
}

/** An input with its label. Screen readers read its hint and its error with it. */
export function field(options: Field): Html {
  const {
    name,
    label,
    type = 'text',
    value = '',
    autocomplete,
    hint,
    error,
    isFocused,
    isFixed,
    isCode,
    isTypedCode,
    isOptional,
    reveal,
  } = options;
  const notes = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(
    Boolean,
  );
  const input = html`<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${[
    isOptional !== true && html` required`,
    isCode === true && html` class="code" inputmode="numeric" pattern="[0-9 ]*" maxlength="9"`,
    isTypedCode === true && html` class="code typed" maxlength="40"`,
    type !== 'password' &&
      html` autocapitalize="${isTypedCode === true ? 'characters' : 'none'}" spellcheck="false"`,
    notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`,
    error !== undefined && html` aria-invalid="true"`,
    isFixed === true && html` readonly`,
    isFocused === true && html` autofocus`,
  ]}>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${reveal === undefined ? input : html`<div class="secret">${input}${revealButton(name, reveal)}</div>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
</div>`;
}

/** The button that submits a form. */
export function submit(label: string): Html {
  return html`<button type="submit" class="full">${label}</button>`;
}
