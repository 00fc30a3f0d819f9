import { type Html, html } from '#src/http/pages/html.js';
import { actionButton } from '../http/form.js';
import { badge, tabs } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, ownsOrganization, param, queryText } from '../http/visit.js';
import { type NamedOrganization, organizationOfPath } from '../resources/named-organization.js';
import { type DoneName, type TabName, usersTexts } from './texts/texts.js';

/** A value of a list, such as an address. */
export interface ListValue {
  readonly value: string;
  readonly type?: string;
  readonly display?: string;
  readonly primary?: boolean;
}

/** A user as SCIM has it. Attributes of extensions are under their URNs. */
export interface ScimUser {
  readonly id: string;
  readonly userName: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly emails?: readonly ListValue[];
  readonly groups?: readonly { readonly value: string; readonly display: string }[];
  readonly meta: { readonly version: string; readonly created: string; readonly lastModified: string };
  readonly [attribute: string]: unknown;
}

/** The user of the path, which its pages are about. */
export interface UserOfPath {
  readonly organization: NamedOrganization;
  readonly user: ScimUser;
  /** The path of the user's pages. */
  readonly path: string;
}

/** The path of the list of users. */
export function usersPath(orgId: string): string {
  return `${pathTo('/console/orgs', orgId)}/users`;
}

/** The path of the user in SCIM. */
export function scimUserPath(orgId: string, id: string): string {
  return pathTo('/scim/v2', orgId, 'Users', id);
}

/** The path of the user in the admin API. */
export function adminUserPath(orgId: string, id: string): string {
  return pathTo('/admin/v1/orgs', orgId, 'users', id);
}

/** @throws ApiProblem if the person does not reach the user */
export async function userOfPath(visit: ConsoleVisit): Promise<UserOfPath> {
  const id = param(visit, 'userId');
  const orgId = param(visit, 'orgId');
  const [organization, user] = await Promise.all([
    organizationOfPath(visit),
    visit.api.get<ScimUser>(scimUserPath(orgId, id)),
  ]);
  return { organization, user, path: pathTo(usersPath(orgId), id) };
}

/** A page about one user: its name, its state, its tabs, and what may be done with it. */
export function userPage(
  visit: ConsoleVisit,
  { organization, user, path }: UserOfPath,
  page: Pick<ConsolePage, 'content' | 'alert' | 'status' | 'act'> & { readonly tab: TabName },
): ConsolePage {
  const { at, t, language } = visit;
  const texts = usersTexts[language];
  const { tab, content, ...more } = page;
  const done = queryText(visit, 'done');
  const shown: [TabName, string][] = [
    ['profile', ''],
    ['signIn', '/sign-in'],
    ['sessions', '/sessions'],
    ['roles', '/roles'],
  ];
  // Events name everybody who changed something, so the API shows them to owners alone.
  if (ownsOrganization(visit, organization.id)) shown.push(['log', '/log']);
  return {
    organization,
    title: user.displayName,
    subtitle: html`<code>${user.userName}</code> ${user.active ? badge(t.active, 'good') : badge(t.inactive, 'bad')}`,
    crumbs: [{ href: at(usersPath(organization.id)), label: t.nav.users }],
    ...(managesUsers(visit, organization.id) && { actions: actionsOf(visit, { user, path }) }),
    ...(Object.hasOwn(texts.done, done) && { notice: texts.done[done as DoneName] }),
    ...more,
    content: html`${tabs(
      texts.user,
      shown.map(([name, end]) => ({
        href: at(`${path}${end}`),
        label: texts.tabs[name],
        isCurrent: name === tab,
      })),
    )}${content}`,
  };
}

function actionsOf(visit: ConsoleVisit, { user, path }: Pick<UserOfPath, 'user' | 'path'>): Html {
  const { at, t, language } = visit;
  const texts = usersTexts[language];
  return html`<a class="button" href="${at(`${path}/edit`)}">${t.edit}</a>
<a class="button quiet" href="${at(`${path}/reset-password`)}">${texts.resetPassword}</a>
${
  user.active
    ? actionButton(visit, { action: `${path}/deactivate`, label: texts.deactivate })
    : actionButton(visit, { action: `${path}/reactivate`, label: texts.reactivate })
}
<a class="button quiet danger" href="${at(`${path}/delete`)}">${texts.remove}</a>`;
}
