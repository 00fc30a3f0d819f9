import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { groupsIn, isBox, isGroup, labelsIn, markupAttribute } from './form-elements.js';

/** Markup that is safe to send. Only this file makes it, so the class is not exported as a value. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Markup in which every inserted text is escaped. */
export type Html = Markup;

/** A value in a template. Text is escaped, lists are joined, absent and false values become nothing. */
export type HtmlValue = Html | string | number | boolean | undefined | null | readonly HtmlValue[];

/** A template tag that escapes every value, for text and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = parts[0] ?? '';
  for (let index = 0; index < values.length; index++)
    text += markupOf(values[index]) + (parts[index + 1] ?? '');
  return new Markup(text);
}

/**
 * A script or style sheet inside the page. Its source is made by this project alone, of nothing that a caller wrote freely. The
 * page's policy must allow it.
 */
export function inlineElement(name: 'script' | 'style', source: string): Html {
  return new Markup(`<${name}>${source}</${name}>`);
}

/** Fields that no page fills in with what was typed before. */
const unfilled = / type="(?:hidden|password|file|submit)"| class="[^"]*\bmasked\b/;

/**
 * The markup with other values in its fields, and with its details open. Hidden fields, passwords, masked texts and files stay as they
 * are. Every text in the markup is escaped, so a tag ends at the first `>`, and an attribute at the first `"`.
 * @param values by the names of the fields. A field without values becomes empty. If a group of radio buttons has none, the person
 * must choose before the form can be sent
 */
export function withValues(
  markup: Html,
  values: Readonly<Record<string, readonly string[] | undefined>>,
): Html {
  const escaped = new Map(
    Object.entries(values).map(([name, given = []]) => [escapeText(name), given.map(escapeText)] as const),
  );
  const valuesOf = (tag: string) => escaped.get(markupAttribute(tag, 'name')) ?? [];
  const text = markup
    .toString()
    .replaceAll('<details>', '<details open>')
    .replace(/<input [^>]*>/g, (tag) => (unfilled.test(tag) ? tag : inputWith(tag, valuesOf(tag))))
    .replace(/(<textarea [^>]*>)[^<]*/g, (all, tag: string) =>
      unfilled.test(tag) ? all : `${tag}${areaText(valuesOf(tag)[0] ?? '')}`,
    )
    .replace(/(<select [^>]*>)(.*?)<\/select>/gs, (_, tag: string, options: string) => {
      const chosen = options.replace(/<option [^>]*>/g, (option) =>
        marked(option, 'selected', valuesOf(tag).includes(markupAttribute(option, 'value'))),
      );
      return `${tag}${chosen}</select>`;
    });
  return new Markup(text);
}

/** A control that a person fills in: where a message about its value belongs. */
export interface FormControl {
  readonly name: string;
  /** The identifier of its element, or of the first box of several with its name. */
  readonly id: string;
  readonly label: Html;
  /** The labels of the values among which a person chooses. */
  readonly choices: ReadonlyMap<string, Html>;
  /** Whether each line is a value. */
  readonly hasLines: boolean;
}

/** The controls of the forms that are posted to an address. @param address as the markup has it before it is escaped */
export function controlsIn(markup: Html, address: string): FormControl[] {
  const text = markup.toString();
  const labels = labelsIn(text);
  return groupsIn(text, escapeText(address)).map((elements): FormControl => {
    const [{ tag, kind, legend, end, after }] = elements;
    const id = markupAttribute(tag, 'id');
    const choices = isBox(tag)
      ? elements.map(
          (one) => [markupAttribute(one.tag, 'value'), labels.get(markupAttribute(one.tag, 'id'))] as const,
        )
      : [...text.slice(end, after).matchAll(/(<option [^>]*>)([^<]*)/g)].map(
          ([, option = '', label]) => [markupAttribute(option, 'value'), label] as const,
        );
    return {
      name: unescaped(markupAttribute(tag, 'name')),
      id: unescaped(id),
      label: new Markup((isGroup(elements) ? legend?.text : labels.get(id)) ?? ''),
      choices: new Map(choices.map(([value, label = '']) => [unescaped(value), new Markup(label)])),
      hasLines: kind === 'textarea',
    };
  });
}

/**
 * The markup with messages beside the controls of the forms that are posted to an address. A screen reader reads the message with its control.
 * Details that hide such a control are open. A control that has a message already keeps that one alone.
 * @param messages by the names of the controls
 */
export function withMessages(markup: Html, address: string, messages: ReadonlyMap<string, HtmlValue>): Html {
  const text = markup.toString();
  const edits = groupsIn(text, escapeText(address)).flatMap((elements): Edit[] => {
    const [first] = elements;
    const message = messages.get(unescaped(markupAttribute(first.tag, 'name')));
    const noteId = `${markupAttribute(first.tag, 'id')}-error`;
    if (message === undefined || text.includes(` id="${noteId}"`)) return [];
    const note = `<p class="error" id="${noteId}">${markupOf(message)}</p>`;
    const place = isGroup(elements) ? (first.legend?.end ?? first.after) : first.after;
    return [
      ...elements.map(({ start, end, tag }) => ({ start, end, text: markedInvalid(tag, noteId) })),
      ...elements.flatMap(({ details }) =>
        details.map(({ start, end }) => ({ start, end, text: '<details open>' })),
      ),
      { start: place, end: place, text: note },
    ];
  });
  return new Markup(edited(text, edits));
}

/** A replacement of a part of a text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Of two edits of one part, the first counts. */
function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    if (edit.start < done) continue;
    pieces.push(text.slice(done, edit.start), edit.text);
    done = edit.end;
  }
  return `${pieces.join('')}${text.slice(done)}`;
}

/** A radio button by itself is never invalid (WAI-ARIA 1.2). */
function markedInvalid(tag: string, noteId: string): string {
  const described = markupAttribute(tag, 'aria-describedby');
  const notes = described === '' ? noteId : `${described} ${noteId}`;
  const plain = tag.replace(/ aria-describedby="[^"]*"/, '').replace(/>$/, '');
  return `${plain}${/ type="radio"/.test(tag) ? '' : ' aria-invalid="true"'} aria-describedby="${notes}">`;
}

/** The markup with other words for its times. @param words returns them for the exact time */
export function replaceTimes(markup: Html, words: (iso: string) => string): Html {
  const times = /(<time datetime="([^"]*)">)[^<]*(?=<\/time>)/g;
  return new Markup(
    markup.toString().replace(times, (_, tag: string, iso: string) => tag + escapeText(words(iso))),
  );
}

/** A sentence with its places filled in, such as `{until}`. A place that is not among the values stays as it is. */
export function filled(sentence: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = sentence.split(/(\{\w+\})/);
  return html`${parts.map((part) => {
    const name = part.startsWith('{') ? part.slice(1, -1) : '';
    return Object.hasOwn(values, name) ? values[name] : part;
  })}`;
}

/** The text as a text area has it. A browser leaves out a line break at its beginning (HTML, section 13.1.2.5). */
export function areaText(text: string): string {
  return /^[\r\n]/.test(text) ? `\n${text}` : text;
}

/**
 * The label of the button that sends the forms to an address. Undefined if the markup has none, or buttons with different labels.
 * @param address as the markup has it before it is escaped
 */
export function sendingLabel(markup: Html, address: string): Html | undefined {
  const forms = markup.toString().matchAll(/<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs);
  const contents = [...forms].flatMap(([, action, content = '']) =>
    action === escapeText(address) ? [content] : [],
  );
  const [label, ...others] = new Set(
    contents.flatMap((content) =>
      [...content.matchAll(/<button type="submit"[^>]*>([^<]*)<\/button>/g)].map(([, text = '']) => text),
    ),
  );
  return label === undefined || others.length > 0 ? undefined : new Markup(label);
}

function inputWith(tag: string, values: readonly string[]): string {
  const type = markupAttribute(tag, 'type');
  if (type !== 'checkbox' && type !== 'radio')
    return tag.replace(/ value="[^"]*"/, () => ` value="${values[0] ?? ''}"`);
  const chosen = marked(tag, 'checked', values.includes(markupAttribute(tag, 'value')));
  return type === 'radio' && values.length === 0 ? marked(chosen, 'required', true) : chosen;
}

/** A tag with or without an attribute that has no value. It stands behind all others. */
function marked(tag: string, name: 'checked' | 'selected' | 'required', isOn: boolean): string {
  const without = tag.replace(/ [\w-]+(?:="[^"]*")?/g, (attribute) =>
    attribute === ` ${name}` ? '' : attribute,
  );
  return isOn ? without.replace(/>$/, ` ${name}>`) : without;
}

function markupOf(value: HtmlValue): string {
  if (typeof value === 'string') return escapeText(value);
  if (value instanceof Markup) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join('');
  if (value === undefined || value === null || typeof value === 'boolean') return '';
  return escapeText(String(value));
}

/** The text of markup without tags, as a person reads it. */
export function textOfMarkup(markup: Html): string {
  return Object.entries(escapes).reduceRight(
    (text, [character, escaped]) => text.replaceAll(escaped, character),
    markup.toString(),
  );
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

const characters = new Map(Object.entries(escapes).map(([character, escaped]) => [escaped, character]));

function unescaped(text: string): string {
  return text.replace(/&[#\w]+;/g, (escaped) => characters.get(escaped) ?? escaped);
}

/** What a page may do besides being shown. */
export interface PageOptions {
  /**
   * Whether a form of the page leads to an application, directly or by redirects. Chromium applies `form-action` to every redirect
   * after a form. Where the application redirects is its own matter: to another host, from https to http, or to an app by a scheme
   * that no policy can name beforehand. The policy of such a page therefore has no rule for forms.
   */
  readonly leadsAway?: boolean;
  /** The one script in the page, exactly as the page contains it. */
  readonly script?: string;
  /** Whether the page loads scripts that this service serves as files. */
  readonly scripts?: boolean;
  /** Whether a script sends requests to this service. */
  readonly connects?: boolean;
  /** The style sheet in the page, exactly as the page contains it. */
  readonly style?: string;
  /** Whether a form of the page tells this service that the form comes from it. */
  readonly namesOrigin?: boolean;
  /** Whether the page shows other pages of this service in frames. */
  readonly frames?: boolean;
  /** Whether pages of this service may show the page in a frame. */
  readonly framed?: boolean;
  /** The page is the same for everybody. A browser may keep it, and asks each time whether it has changed. */
  readonly cacheable?: boolean;
  /** Origins from which the page may load images. */
  readonly imageSources?: readonly string[];
}

/**
 * Sends a page that no cache stores unless it is public, that no frame shows, and that sends no referrer.
 * @param page its markup, or the bytes of a page that is the same for everybody
 */
export function sendPage(reply: FastifyReply, page: Html | Buffer, options: PageOptions = {}): FastifyReply {
  const sent = withoutTraces(reply);
  if (options.cacheable) sent.header('cache-control', 'no-cache').removeHeader('pragma');
  return sent
    .header('referrer-policy', options.namesOrigin ? 'same-origin' : 'no-referrer')
    .header('content-security-policy', contentSecurityPolicy(options))
    .header('x-frame-options', options.framed ? 'SAMEORIGIN' : 'DENY')
    .type('text/html; charset=utf-8')
    .send(page instanceof Markup ? page.toString() : page);
}

/**
 * Sets the headers of every response during sign-in and sign-out, since its addresses carry codes and
 * identifiers.
 */
export function withoutTraces(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff');
}

function contentSecurityPolicy(options: PageOptions): string {
  const { leadsAway = false, script, scripts = false, connects = false } = options;
  const { style, frames = false, framed = false, imageSources = [] } = options;
  const scriptSources = [
    ...(scripts ? ["'self'"] : []),
    ...(script === undefined ? [] : [hashSource(script)]),
  ];
  return [
    "default-src 'none'",
    `script-src ${scriptSources.length === 0 ? "'none'" : scriptSources.join(' ')}`,
    `style-src 'self'${style === undefined ? '' : ` ${hashSource(style)}`}`,
    `img-src ${["'self'", ...imageSources.map(originSource)].join(' ')}`,
    ...(leadsAway ? [] : ["form-action 'self'"]),
    ...(connects ? ["connect-src 'self'"] : []),
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/**
 * An address as a source in a policy: its origin, or only its scheme when a policy cannot name the origin.
 */
function originSource(address: string): string {
  const { protocol, origin } = new URL(address);
  return /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) ? origin : protocol;
}
