import { type Html, html } from '#src/http/pages/html.js';
import { actionButton, field } from '../http/form.js';
import { card, countLine, emptyList, pager } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { ifAddressable, pathTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, ownsOrganization, queryText } from '../http/visit.js';
import { adminGroupPath, type GroupOfPath, groupOfPath, groupsPath } from '../resources/group.js';
import { usersTexts } from '../users/texts/texts.js';
import { type UserSummaries, usersTable } from '../users/user-list.js';
import { rolesCard } from './group-roles.js';
import type { GroupDone } from './texts/shape.js';
import { groupsTexts } from './texts/texts.js';

const pageSize = 50;
/** How many users a search for a new member offers. */
const offered = 10;

/**
 * A group: its members, and the roles that it gives.
 * @param changed replaces parts of the page after a refusal
 */
export async function groupPage(
  visit: ConsoleVisit,
  changed: Pick<ConsolePage, 'alert' | 'status'> = {},
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = groupsTexts[language];
  const subject = await groupOfPath(visit);
  const { organization, group, path } = subject;
  const mayChange = managesUsers(visit, organization.id);
  const done = queryText(visit, 'done');
  return {
    organization,
    title: group.displayName,
    crumbs: [{ href: at(groupsPath(organization.id)), label: t.nav.groups }],
    ...(Object.hasOwn(texts.done, done) && { notice: texts.done[done as GroupDone] }),
    ...(mayChange && {
      actions: html`<a class="button quiet" href="${at(`${path}/rename`)}">${texts.rename}</a>
<a class="button quiet danger" href="${at(`${path}/delete`)}">${texts.remove}</a>`,
    }),
    content: html`${mayChange && (await addCard(visit, subject))}
${await membersCard(visit, subject)}
${ownsOrganization(visit, organization.id) && (await rolesCard(visit, subject))}`,
    ...changed,
  };
}

async function membersCard(visit: ConsoleVisit, { organization, group, path }: GroupOfPath): Promise<Html> {
  const { api, at, language, t } = visit;
  const texts = groupsTexts[language];
  const { user, after } = placeOf(visit);
  const members = `${adminGroupPath(organization.id, group.id)}/members`;
  const query = { after, limit: pageSize, includeTotal: true };
  const { items, next, total } = await api.get<UserSummaries>(members, query);
  if (items.length === 0 && next === undefined && after === '')
    return card(texts.members, emptyList(texts.noMembers));
  const remove = ({ id }: { id: string }) =>
    ifAddressable([`${path}/members`, id], (of) =>
      actionButton(visit, { action: `${of}/remove`, label: texts.removeMember, hidden: placeOf(visit) }),
    );
  const mayChange = managesUsers(visit, organization.id);
  return card(
    texts.members,
    html`${countLine(visit, { total })}${usersTable(visit, { orgId: organization.id, users: items, ...(mayChange && { more: remove }) })}${pager(
      {
        t,
        first: after === '' ? undefined : at(path, { user }),
        next: next === undefined ? undefined : at(path, { user, after: next }),
      },
    )}`,
  );
}

/** What is searched, and which members the page shows. A change leads back to it. */
function placeOf(visit: ConsoleVisit): { user: string; after: string } {
  return { user: queryText(visit, 'user').slice(0, 200), after: queryText(visit, 'after').slice(0, 200) };
}

/** A search for users. The person adds one of those found. */
async function addCard(visit: ConsoleVisit, { organization, group, path }: GroupOfPath): Promise<Html> {
  const { api, language, t } = visit;
  const texts = groupsTexts[language];
  const { user: search } = placeOf(visit);
  const found =
    search.trim() === ''
      ? []
      : (
          await api.get<UserSummaries>(`${pathTo('/admin/v1/orgs', organization.id)}/users`, {
            search: search.trim(),
            limit: offered,
          })
        ).items;
  const members = await membersAmong(visit, adminGroupPath(organization.id, group.id), found);
  const add = ({ id }: { id: string }) =>
    members.has(id)
      ? html`<span class="soft">${usersTexts[language].roles.isMember}</span>`
      : ifAddressable([`${path}/members`, id], (of) =>
          actionButton(visit, { action: `${of}/add`, label: t.add, hidden: placeOf(visit) }),
        );
  const results =
    found.length > 0
      ? usersTable(visit, { orgId: organization.id, users: found, more: add })
      : search.trim() !== '' && html`<p class="soft">${texts.noUserFound}</p>`;
  const label = texts.addMember;
  return card(
    label,
    searchForm(visit, {
      path,
      fields: field({ name: 'user', type: 'search', label: t.search, value: search, maxLength: 200 }),
      results,
    }),
  );
}

/** The identifiers of those of these users who are members of the group. @param group its path in the admin API */
async function membersAmong(
  { api }: Pick<ConsoleVisit, 'api'>,
  group: string,
  users: UserSummaries['items'],
): Promise<Set<string>> {
  if (users.length === 0) return new Set();
  const among = users.map(({ id }) => id).join(',');
  const { items } = await api.get<UserSummaries>(`${group}/members`, { among });
  return new Set(items.map(({ id }) => id));
}
