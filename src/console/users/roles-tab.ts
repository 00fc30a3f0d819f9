import { isInstanceRole, type Role, roles } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { actionButton, buttons, field, form, select } from '../http/form.js';
import { card, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { ifAddressable, linkTo, pathTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, ownsOrganization, queryText } from '../http/visit.js';
import { findGroups, groupsPath } from '../resources/group.js';
import { type HeldRole, heldRoles } from './held-roles.js';
import { usersTexts } from './texts/texts.js';
import { type UserOfPath, userOfPath, userPage } from './user.js';

/** How many groups a search offers. */
const offered = 10;

/** The groups and the roles of the user. */
export async function rolesTab(visit: ConsoleVisit): Promise<ConsolePage> {
  const subject = await userOfPath(visit);
  const { organization, user } = subject;
  const held = ownsOrganization(visit, organization.id)
    ? await heldRoles(visit, organization.id, user.id)
    : undefined;
  return userPage(visit, subject, {
    tab: 'roles',
    content: html`${groupsCard(visit, subject)}
${managesUsers(visit, organization.id) && (await joinCard(visit, subject))}
${held && rolesCard(visit, { subject, held: held.organization, scope: 'organization' })}
${held?.instance && rolesCard(visit, { subject, held: held.instance, scope: 'instance' })}`,
  });
}

function groupsCard(visit: ConsoleVisit, { organization, user, path }: UserOfPath): Html {
  const { at, language } = visit;
  const texts = usersTexts[language].roles;
  const { groups = [] } = user;
  if (groups.length === 0) return card(texts.groups, html`<p class="soft">${texts.noGroups}</p>`);
  const mayChange = managesUsers(visit, organization.id);
  const rows = groups.map(({ value, display }) => [
    linkTo({ at }, [groupsPath(organization.id), value], display),
    ...(mayChange
      ? [
          ifAddressable([`${path}/groups`, value], (of) =>
            actionButton(visit, {
              action: `${of}/leave`,
              label: texts.leave,
              hidden: { group: searchOf(visit) },
            }),
          ),
        ]
      : []),
  ]);
  const columns = [texts.chooseGroup, ...(mayChange ? [''] : [])];
  return card(texts.groups, table({ caption: texts.groups, columns, rows }));
}

/** The beginning of the name of a group, which a change leaves in its field. */
function searchOf(visit: ConsoleVisit): string {
  return queryText(visit, 'group').slice(0, 200).trim();
}

/** A search for groups. The person adds the user to one of those found. */
async function joinCard(visit: ConsoleVisit, { organization, user, path }: UserOfPath): Promise<Html> {
  const texts = usersTexts[visit.language].roles;
  const search = searchOf(visit);
  const found =
    search === '' ? [] : (await findGroups(visit, organization.id, { search, limit: offered })).items;
  const mine = new Set(user.groups?.map(({ value }) => value));
  const rows = found.map(({ id, displayName }) => [
    displayName,
    mine.has(id)
      ? html`<span class="soft">${texts.isMember}</span>`
      : ifAddressable([`${path}/groups`, id], (of) =>
          actionButton(visit, { action: `${of}/join`, label: visit.t.add, hidden: { group: search } }),
        ),
  ]);
  const results =
    rows.length > 0
      ? table({ caption: texts.join, columns: [texts.chooseGroup, ''], rows })
      : search !== '' && html`<p class="soft">${texts.noGroupFound}</p>`;
  return card(
    texts.join,
    searchForm(visit, {
      path: `${path}/roles`,
      fields: field({ name: 'group', type: 'search', label: texts.joinHint, value: search, maxLength: 200 }),
      results,
    }),
  );
}

function rolesCard(
  visit: ConsoleVisit,
  {
    subject,
    held,
    scope,
  }: { subject: UserOfPath; held: readonly HeldRole[]; scope: 'organization' | 'instance' },
): Html {
  const texts = usersTexts[visit.language].roles;
  const { path } = subject;
  const title = scope === 'instance' ? texts.inInstance : texts.inOrganization;
  const rows = held.map(({ id, role }) => [
    visit.t.roles[role],
    html`<a class="button quiet danger" href="${visit.at(`${pathTo(`${path}/roles`, id)}/take`, { scope })}">${texts.take}</a>`,
  ]);
  const free = roles.filter(
    (role) => isInstanceRole(role) === (scope === 'instance') && !held.some((one) => one.role === role),
  );
  return card(
    title,
    html`${rows.length === 0 ? html`<p class="soft">${texts.noRoles}</p>` : table({ caption: title, columns: [texts.role, ''], rows })}
${free.length > 0 && giveForm(visit, { action: `${path}/roles/${scope === 'instance' ? 'give-instance' : 'give'}`, free })}`,
    scope === 'organization' ? { hint: texts.byGroups } : {},
  );
}

function giveForm(visit: ConsoleVisit, { action, free }: { action: string; free: readonly Role[] }): Html {
  const texts = usersTexts[visit.language].roles;
  const [only] = free;
  const choices = free.map((role) => ({ value: role, label: visit.t.roles[role] }));
  if (only !== undefined && free.length === 1) {
    return html`<div class="buttons">${actionButton(visit, {
      action,
      label: `${texts.give}: ${visit.t.roles[only]}`,
      hidden: { role: only },
    })}</div>`;
  }
  return form(visit, {
    action,
    className: 'give',
    content: html`${select({ name: 'role', label: texts.role, choices })}${buttons(texts.give)}`,
  });
}
