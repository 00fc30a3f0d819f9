import Bowser from 'bowser';
import type { EventType } from '#src/audit/event.js';
import type { Language } from '#src/http/base/language.js';
import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { moment } from '../http/parts.js';
import { roleName } from '../memberships/roles.js';
import { jobTexts } from '../migration/texts/jobs.js';
import { serviceTexts } from '../service/texts/texts.js';
import { consoleTexts } from '../texts/texts.js';
import { changedRolesInWords, changesInWords } from './change-words.js';
import { de } from './texts/de.js';
import { type DetailTexts, detailTexts } from './texts/details.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';
import type { EventSentence, EventSentences } from './texts/sentences.js';

/** An event as `POST /admin/v1/events/_search` returns it. */
export interface LoggedEvent {
  readonly editor: { readonly userId: string; readonly service: string };
  readonly aggregate: { readonly id: string; readonly type: string; readonly resourceOwner: string };
  readonly sequence: number;
  readonly creationDate: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly type: string;
}

/**
 * How an object is shown: its name, perhaps with a link. Undefined if it has no name here, such as a removed object.
 * @param isFirst whether a sentence begins with it
 */
export type NameOf = (id: string, isFirst?: boolean) => HtmlValue;

export const eventSentences: Readonly<Record<Language, EventSentences>> = { en, de, fr, es, it };

/** An event in words. A type that this version does not know is shown by its name. */
export function describeEvent(event: LoggedEvent, language: Language, nameOf: NameOf): Html {
  const known: Partial<Record<string, EventSentence>> = eventSentences[language];
  const sentence = Object.hasOwn(known, event.type) ? known[event.type] : undefined;
  if (sentence === undefined) return html`<code>${event.type}</code>`;
  const changes = changesInWords(event.type, event.payload, language);
  const text = textFor(event, sentence);
  const places = placesOf({ ...event, changes }, language, nameOf);
  const parts = (changes === '' ? withoutList(text) : text).split(/(\{\w+\})/);
  return html`${parts.map((part, at) => (part.startsWith('{') ? places(part.slice(1, -1), at === 1 && parts[0] === '') : part))}`;
}

/** The sentence without the list of changes at its end, for an event that names none. */
function withoutList(text: string): string {
  return text.replace(/\s?: \{attributes\}$/, '');
}

/**
 * What a type of event means. It is the sentence of the event with dots in place of the names, and without the list at its end.
 * @param somebody stands for the person who acts: at the beginning of a sentence, and within it
 */
export function kindInWords(
  type: EventType,
  language: Language,
  somebody: { readonly first: string; readonly within: string },
): string {
  const sentence = eventSentences[language][type];
  const text = typeof sentence === 'string' ? sentence : 'usual' in sentence ? sentence.usual : sentence[0];
  return text
    .replace(/\s?: \{\w+\}.*$/, '')
    .replace(/^\{actor\}/, somebody.first)
    .replace(/\{actor\}/g, somebody.within)
    .replace(/ \(\{\w+\}\)/g, '')
    .replace(/\{\w+\}/g, '…');
}

function textFor({ editor, aggregate, payload }: LoggedEvent, sentence: EventSentence): string {
  if (typeof sentence === 'string') return sentence;
  if ('usual' in sentence) {
    // A verification is a dry run too.
    if (payload.verify === true) return sentence.verify;
    return payload.dryRun === true ? sentence.dryRun : sentence.usual;
  }
  return sentence[editor.userId === aggregate.id ? 1 : 0];
}

/** What else an event says: why and from where a sign-in was refused. */
export function eventDetails(
  { payload, type }: LoggedEvent,
  language: Language,
  nameOf: NameOf,
): [name: string, value: HtmlValue][] {
  if (!/\.(?:failed|succeeded|tested)$/.test(type)) return [];
  const t = detailTexts[language];
  const value = (name: string) => textOf(payload[name]);
  const clientId = value('clientId');
  const rows: [string, HtmlValue][] = [
    [
      t.reason,
      type.startsWith('connection.')
        ? reasonInWords(language, value('reason'))
        : reasonOf(value('reason'), t),
    ],
    [t.address, value('address')],
    [t.browser, browserName(value('userAgent'))],
    [t.application, clientId === '' ? '' : shown(clientId, nameOf)],
    [t.method, value('method')],
    [t.endpoint, value('endpoint')],
    [t.issuer, value('issuer')],
    [t.subject, value('subject')],
    [t.audience, value('audience')],
    [t.times, payload.count === 1 ? '' : value('count')],
  ];
  return rows.filter(([, text]) => text !== '');
}

/** A browser and its system in a few words. Another program is shown as it names itself. */
function browserName(userAgent: string): string {
  if (!userAgent.startsWith('Mozilla/')) return userAgent;
  const { browser, os } = Bowser.parse(userAgent);
  const [version = ''] = (browser.version ?? '').split('.');
  return [browser.name, version, os.name && `(${os.name})`].filter(Boolean).join(' ') || userAgent;
}

/** The identifiers that the words of an event show as names. */
export function namedIn({ editor, aggregate, payload }: LoggedEvent): string[] {
  const { userId, userIds, groupId, clientId, projectId } = payload;
  const ids = [editor.userId, aggregate.id, aggregate.resourceOwner, userId, groupId, clientId, projectId];
  return [...ids, ...listOf(userIds).slice(0, maxNames)].filter((id) => typeof id === 'string');
}

/** Names of a list that are shown. A number stands for the others. */
const maxNames = 5;

/** Editors that are no users: the service itself. */
const service = new Set(['muster', 'muster-init']);

function placesOf(
  { editor, aggregate, payload, type, changes }: LoggedEvent & { readonly changes: string },
  language: Language,
  nameOf: NameOf,
) {
  const ownName = textOf(payload.displayName ?? payload.name ?? payload.userName);
  const { states, kinds } = jobTexts[language];
  const special: Readonly<Record<string, (isFirst: boolean) => HtmlValue>> = {
    actor: (isFirst) =>
      service.has(editor.userId)
        ? 'Muster'
        : (nameOf(editor.userId, isFirst) ?? html`<code>${editor.userId}</code>`),
    attributes: () => changes,
    state: () => wordOf(states, textOf(payload.state)),
    kind: () => wordOf(kinds, textOf(payload.kind)),
    subject: () => nameOf(aggregate.id) ?? (ownName === '' ? html`<code>${aggregate.id}</code>` : ownName),
    user: () => shown(textOf(payload.userId), nameOf),
    users: () => namesOf(listOf(payload.userIds), nameOf),
    group: () => shown(textOf(payload.groupId), nameOf),
    application: () => shown(textOf(payload.clientId), nameOf),
    project: () => shown(textOf(payload.projectId), nameOf),
    role: () => roleName({ t: consoleTexts[language] }, textOf(payload.role)),
    // The roles of a project have the names that its owner gave them.
    roles: () =>
      changedRolesInWords(type, payload, language) ??
      (type === 'group.roles.changed' ? rolesIn(payload.roles, language) : textOf(payload.roles)),
    organization: () => shown(aggregate.resourceOwner, nameOf),
    features: () => featuresIn(payload, language),
    expires: () => moment(textOf(payload.expires) || undefined, language),
  };
  return (name: string, isFirst: boolean): HtmlValue =>
    Object.hasOwn(special, name) ? special[name]?.(isFirst) : textOf(payload[name]);
}

/** The words for a name of a table. A name that this version does not know is shown as it is. */
function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(words, name) ? words[name] : undefined) ?? name;
}

function featuresIn(payload: LoggedEvent['payload'], language: Language): string {
  const t = consoleTexts[language];
  const { tokenExchange } = serviceTexts[language];
  return Object.entries(payload)
    .map(([name, value]) => `${wordOf({ tokenExchange }, name)}: ${value === true ? t.yes : t.no}`)
    .join(', ');
}

function rolesIn(value: unknown, language: Language): string {
  const t = consoleTexts[language];
  return (
    listOf(value)
      .map((role) => roleName({ t }, role))
      .join(', ') || t.none
  );
}

function shown(id: string, nameOf: NameOf): HtmlValue {
  return nameOf(id) ?? html`<code>${id}</code>`;
}

function namesOf(ids: readonly string[], nameOf: NameOf): HtmlValue {
  const more = ids.length - maxNames;
  return [
    ...ids.slice(0, maxNames).map((id, at) => html`${at > 0 && ', '}${shown(id, nameOf)}`),
    more > 0 && ` + ${more}`,
  ];
}

function reasonOf(reason: string, { reasons }: DetailTexts): string {
  return Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Longest value that is shown, in characters. */
const maxText = 300;

function textOf(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join(', ')
    : ['string', 'number'].includes(typeof value)
      ? String(value)
      : '';
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
