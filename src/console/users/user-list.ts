import { type Html, html } from '#src/http/pages/html.js';
import { choiceBox, choosing } from '../choosing/chosen.js';
import { userActionTexts } from '../choosing/texts/texts.js';
import { type FormChoice, field, select } from '../http/form.js';
import { badge, countLine, emptyList, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { linkTo, pathTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, ownsOrganization, queryText } from '../http/visit.js';
import { organizationOfPath } from '../resources/named-organization.js';
import { type DoneName, usersTexts } from './texts/texts.js';
import { usersPath } from './user.js';

/** A user in a list of the admin API. */
interface UserSummary {
  readonly id: string;
  readonly userName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly email?: string;
}

export interface UserSummaries {
  readonly items: readonly UserSummary[];
  readonly next?: string;
  readonly total?: number;
}

/** How many users a page shows. */
const pageSize = 50;
/** Longer searches than the API takes are cut. */
const maxSearch = 200;

/** The users of the organization, which a person searches while typing. */
export async function usersPage(
  visit: ConsoleVisit,
  { canMail }: { canMail: boolean },
): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = usersTexts[language];
  const organization = await organizationOfPath(visit);
  const path = usersPath(organization.id);
  const search = queryText(visit, 'search').slice(0, maxSearch);
  const active = ['true', 'false'].find((value) => value === queryText(visit, 'active')) ?? '';
  const after = queryText(visit, 'after');
  const isSearch = search.trim() !== '';
  const sorts = sortsOf(visit);
  // A search has the closest matches first.
  const sort = isSearch ? '' : (sorts.find(({ value }) => value === queryText(visit, 'sort'))?.value ?? '');
  const [sortField, order] = sort.split(' ');
  const found = await api.get<UserSummaries>(`${pathTo('/admin/v1/orgs', organization.id)}/users`, {
    search: search.trim(),
    active,
    after,
    sort: sortField,
    order,
    includeTotal: after === '' || !isSearch,
    limit: pageSize,
  });
  const add = { href: at(`${path}/new`), label: texts.add };
  const mayAdd = managesUsers(visit, organization.id);
  const isWhole = !isSearch && active === '' && after === '';
  const done = queryText(visit, 'done');
  const count = countLine(visit, {
    total: found.total,
    shown: after === '' ? found.items.length : 0,
    isSearch,
  });
  const results = html`${found.items.length > 0 && count}${resultsOf(visit, { orgId: organization.id, found, chosenBy: mayAdd ? { search, active, canMail } : undefined, empty: isWhole ? emptyList(texts.none, mayAdd ? add : undefined) : undefined })}${pager(
    {
      t,
      first: after === '' ? undefined : at(path, { search, active, sort }),
      next: found.next === undefined ? undefined : at(path, { search, active, sort, after: found.next }),
    },
  )}`;
  return {
    organization,
    title: t.nav.users,
    subtitle: texts.about,
    ...(done === 'nobody' && { notice: userActionTexts[language].nobody }),
    ...(Object.hasOwn(texts.done, done) && { notice: texts.done[done as DoneName] }),
    ...(mayAdd && {
      actions: html`<a class="button" href="${add.href}">${add.label}</a>${
        ownsOrganization(visit, organization.id) &&
        html` <a class="button" href="${at(`${path}/many`)}">${texts.addMany}</a> <a class="button quiet" href="${at(`${path}/export`)}">${texts.export}</a>`
      }`,
    }),
    content: searchForm(visit, {
      path,
      fields: html`${field({ name: 'search', type: 'search', label: texts.searchLabel, value: search, maxLength: maxSearch })}
${select({
  name: 'active',
  label: texts.state,
  value: active,
  choices: [
    { value: '', label: texts.allUsers },
    { value: 'true', label: t.active },
    { value: 'false', label: t.inactive },
  ],
})}
${select({ name: 'sort', label: t.sortedBy, value: sort, choices: sorts })}`,
      results,
    }),
  };
}

/** The orders that an index has. */
function sortsOf({ language, t }: ConsoleVisit): readonly FormChoice[] {
  const { fields, email } = usersTexts[language];
  return [
    { value: '', label: fields.userName },
    { value: 'familyName asc', label: fields.familyName },
    { value: 'email asc', label: email },
    { value: 'created desc', label: t.newestFirst },
    { value: 'created asc', label: t.oldestFirst },
    { value: 'lastModified desc', label: t.changedFirst },
  ];
}

function resultsOf(
  visit: ConsoleVisit,
  {
    orgId,
    found,
    chosenBy,
    empty,
  }: {
    orgId: string;
    found: UserSummaries;
    /** For people who may do something with several users: what is searched. */
    chosenBy: { search: string; active: string; canMail: boolean } | undefined;
    empty: Html | undefined;
  },
): Html {
  const texts = usersTexts[visit.language];
  if (found.items.length === 0) {
    if (found.next !== undefined) return html`<p class="soft">${texts.moreBehind}</p>`;
    return empty ?? emptyList(texts.noMatch);
  }
  const isShort = found.next !== undefined && found.items.length < pageSize;
  const list = usersTable(visit, { orgId, users: found.items, isChosenFrom: chosenBy !== undefined });
  return html`${chosenBy === undefined ? list : choosing(visit, orgId, { table: list, ...chosenBy })}${isShort && html`<p class="soft">${texts.moreBehind}</p>`}`;
}

/** A table of users, with a further cell for each if there is one, and with boxes if several can be chosen. */
export function usersTable(
  visit: ConsoleVisit,
  options: {
    orgId: string;
    users: readonly UserSummary[];
    more?: (user: UserSummary) => Html | undefined;
    isChosenFrom?: boolean;
  },
): Html {
  const { at, language, t } = visit;
  const { orgId, users, more, isChosenFrom = false } = options;
  const texts = usersTexts[language];
  return table({
    caption: t.nav.users,
    columns: [
      ...(isChosenFrom ? [userActionTexts[language].choose] : []),
      t.name,
      texts.fields.userName,
      texts.email,
      texts.state,
      ...(more ? [''] : []),
    ],
    rows: users.map((user) => [
      ...(isChosenFrom ? [choiceBox(visit, user)] : []),
      linkTo({ at }, [usersPath(orgId), user.id], user.displayName),
      html`<code>${user.userName}</code>`,
      html`${user.email !== undefined && html`<span class="whole">${user.email}</span>`}`,
      user.active ? badge(t.active, 'good') : badge(t.inactive, 'bad'),
      ...(more ? [more(user)] : []),
    ]),
  });
}
