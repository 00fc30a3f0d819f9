import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { card, exact, facts, moment } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, ownsOrganization } from '../http/visit.js';
import { localeName } from './locale-choices.js';
import { type ProfileField, profileFields, textOf } from './profile-fields.js';
import { labelOf } from './profile-form.js';
import { type UsersTexts, usersTexts } from './texts/texts.js';
import { adminUserPath, type ScimUser, type UserOfPath, userOfPath, userPage, usersPath } from './user.js';

interface Metadata {
  readonly items: readonly { readonly key: string; readonly value: string }[];
}

/** Attributes that the cards of the page show, or that say nothing to people. */
const shownElsewhere = new Set(['schemas', 'id', 'meta', 'groups', 'active', 'name', 'displayName']);
/** The most metadata that a page shows. */
const mostMetadata = 100;
/** Longer values are cut. */
const longestShown = 1_000;

/** Everything that is known of a user: attributes of the standard, of extensions, and metadata. */
export async function profileTab(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, language, t } = visit;
  const texts = usersTexts[language];
  const subject = await userOfPath(visit);
  const { user, organization } = subject;
  const metadata = ownsOrganization(visit, organization.id)
    ? await api.get<Metadata>(`${adminUserPath(organization.id, user.id)}/metadata`, { limit: mostMetadata })
    : undefined;
  const sections = (['person', 'contact', 'work', 'settings'] as const).map((section) => {
    const rows = profileFields
      .filter((field) => field.section === section)
      .map((field) => [labelOf(field, texts), shown(visit, subject, field)] as const);
    const more =
      section === 'settings'
        ? ([
            [t.identifier, exact(user.id)],
            [t.created, moment(user.meta.created, language)],
            [t.changed, moment(user.meta.lastModified, language)],
          ] as const)
        : [];
    const all = [...rows, ...more].filter(([, value]) => value !== undefined);
    return all.length > 0 && card(texts.sections[section], facts(all));
  });
  const further = furtherOf(user, texts.further);
  return userPage(visit, subject, {
    tab: 'profile',
    content: html`<div class="cards">${sections}
${further.length > 0 && card(texts.sections.further, facts(further))}
${metadata !== undefined && card(texts.sections.metadata, metadata.items.length === 0 ? html`<p class="soft">${texts.noMetadata}</p>` : facts(metadata.items.map(({ key, value }) => [key, decoded(value, texts.binary)])))}</div>`,
  });
}

function shown(
  { at, language }: ConsoleVisit,
  { user, organization }: UserOfPath,
  field: ProfileField,
): HtmlValue {
  const text = textOf(user, field);
  if (text === '') return undefined;
  if (field.name === 'manager') {
    const [urn = ''] = field.keys;
    const manager = (user[urn] as { manager?: { displayName?: string } }).manager;
    return linkTo({ at }, [usersPath(organization.id), text], manager?.displayName ?? text);
  }
  const name = field.choices && localeName(field.choices, language, text);
  if (name !== undefined) return html`${name} <span class="soft">${text}</span>`;
  if (field.isList !== true) return field.isExact ? exact(text) : text;
  const values = user[field.name] as readonly { value: string; type?: string }[];
  return values.map(
    ({ value, type }) => html`${value}${type !== undefined && html` <span class="soft">${type}</span>`}<br>`,
  );
}

/** The attributes for which the form has no field. Those of an extension have the names of its schema. */
function furtherOf(user: ScimUser, labels: UsersTexts['further']): [string, HtmlValue][] {
  const known = new Set(profileFields.map(({ path }) => path));
  return Object.entries(user).flatMap(([name, value]): [string, HtmlValue][] => {
    if (shownElsewhere.has(name) || known.has(name)) return [];
    if (!name.startsWith('urn:')) return [[labels[name as keyof typeof labels] ?? name, plain(value)]];
    return Object.entries(value as Record<string, unknown>)
      .filter(([attribute]) => !known.has(`${name}:${attribute}`))
      .map(([attribute, one]): [string, HtmlValue] => [attribute, plain(one)]);
  });
}

/** A value of any kind in a line: the values of a list, and the parts of an object. */
function plain(value: unknown): Html {
  if (Array.isArray(value)) return html`${value.map((one) => html`${plain(one)}<br>`)}`;
  if (typeof value !== 'object' || value === null) return html`${String(value).slice(0, longestShown)}`;
  const { value: main, formatted, ...parts } = value as Record<string, unknown>;
  const words = [main, formatted, ...Object.values(parts)].filter(
    (one) => typeof one === 'string' || typeof one === 'number',
  );
  return html`${words.join(', ').slice(0, longestShown)}`;
}

/** Metadata as text, or its length if it is no text. */
function decoded(base64: string, binary: (bytes: number) => string): HtmlValue {
  const bytes = Buffer.from(base64, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).slice(0, longestShown);
  } catch {
    return binary(bytes.length);
  }
}
