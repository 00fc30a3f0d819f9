import { type Html, html } from '#src/http/pages/html.js';
import { isDotSegment } from '#src/platform/path-segment.js';
import { field, select } from '../http/form.js';
import { type Sent, sendText } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param, queryText } from '../http/visit.js';
import { orAbsent } from '../resources/name-of-user.js';
import { usersTexts } from './texts/texts.js';
import { scimUserPath, usersPath } from './user.js';
import type { UserSummaries } from './user-list.js';

type Found = UserSummaries['items'];

/** Whom the text of the field for the manager means. */
export type Manager =
  | { readonly id: string }
  /** Several people, or nobody. */
  | { readonly candidates: Found };

/** How many people are offered. */
const offered = 10;
const longestSearch = 200;
const suggestionsId = 'f-manager-suggestions';

/** The login name of a manager, by which the form shows it. The identifier, if it means nobody here. */
export async function managerName(visit: ConsoleVisit, orgId: string, id: string): Promise<string> {
  if (id === '' || isDotSegment(id)) return id;
  const path = scimUserPath(orgId, id);
  const found = await orAbsent(visit.api.get<{ userName: string }>(path, { attributes: 'userName' }));
  return found?.userName ?? id;
}

/**
 * Finds whom a text means: a login name, an e-mail address, a name or an identifier.
 * @param current the manager as stored. Its login name and its identifier mean it without a search
 */
export async function findManager(
  visit: ConsoleVisit,
  orgId: string,
  { text, current }: { text: string; current: string },
): Promise<Manager> {
  if (text === '' || text === current || text === (await managerName(visit, orgId, current)))
    return { id: text === '' ? '' : current };
  const found = await search(visit, orgId, text);
  const wanted = text.toLowerCase();
  const means = (...names: readonly (string | undefined)[]) =>
    names.some((name) => name?.toLowerCase() === wanted);
  const named = found.filter(({ id, userName }) => means(id, userName));
  const known = found.filter(({ email, displayName }) => means(email, displayName));
  const [only, ...others] = [named, known, found].find(({ length }) => length > 0) ?? [];
  return only !== undefined && others.length === 0 ? { id: only.id } : { candidates: found };
}

/** The field. If a text means several people, it is a choice of them. */
export function managerField(
  { at, language }: ConsoleVisit,
  orgId: string,
  {
    value,
    candidates,
    ...common
  }: { name: string; label: string; hint?: string; value: string; candidates: Found | undefined },
): Html {
  const texts = usersTexts[language];
  if (candidates !== undefined && candidates.length > 0) {
    const choices = candidates.map((one) => ({
      value: one.id,
      label: `${one.displayName} (${one.userName})`,
    }));
    return select({ ...common, hint: texts.chooseManager, choices: [{ value: '', label: '–' }, ...choices] });
  }
  return html`${field({
    ...common,
    value,
    maxLength: longestSearch,
    suggestions: suggestionsId,
    suggestFrom: at(`${usersPath(orgId)}/managers`),
    ...(candidates !== undefined && { error: texts.noManager }),
  })}${suggestions([])}`;
}

/** The people whom the browser suggests while the person types. */
export async function suggestManagers(visit: ConsoleVisit): Promise<Sent> {
  const orgId = param(visit, 'orgId');
  const text = queryText(visit, 'manager').slice(0, longestSearch).trim();
  const found = text === '' ? [] : await search(visit, orgId, text);
  return { sent: sendText(visit.reply, suggestions(found).toString(), []) };
}

function suggestions(found: Found): Html {
  return html`<datalist id="${suggestionsId}">${found.map(
    ({ userName, displayName }) => html`<option value="${userName}">${displayName}</option>`,
  )}</datalist>`;
}

async function search({ api }: ConsoleVisit, orgId: string, text: string): Promise<Found> {
  const query = { search: text.slice(0, longestSearch), limit: offered };
  return (await api.get<UserSummaries>(`${pathTo('/admin/v1/orgs', orgId)}/users`, query)).items;
}
