import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { facts, number } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { apiOf, organizationOf, pathOf, scimOf } from '../resources/organization-of.js';
import { organizationsTexts } from './texts/texts.js';

/** Asks before an organization is removed, and says what ends with it. */
export async function removeOrganizationPage(
  visit: ConsoleVisit,
  problem?: ApiRefusal,
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = organizationsTexts[language];
  const organization = await organizationOf(visit);
  const [users, groups, serviceUsers, applications] = await Promise.all([
    countOf(visit, '/Users'),
    countOf(visit, '/Groups'),
    atLeast(visit, '/service-users'),
    atLeast(visit, '/applications'),
  ]);
  const text = html`<p><strong>${texts.removeText}</strong></p>${facts([
    [t.nav.users, users],
    [t.nav.groups, groups],
    [t.nav.serviceUsers, serviceUsers],
    [t.nav.applications, applications],
    [texts.domains, organization.domains.join(', ')],
  ])}`;
  const removal = {
    organization,
    title: texts.removeTitle,
    text,
    name: organization.name,
    action: '/remove',
    back: '/settings',
    crumbs: [{ href: at(pathOf(visit, '/settings')), label: t.nav.settings }],
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes the organization, and leads to the progress of the job. */
export async function removeOrganization(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { name } = await organizationOf(visit);
  if (!isConfirmed(visit, name)) return removeOrganizationPage(visit, wrongName);
  const job = await visit.api.submit('DELETE', `${apiOf(visit)}?${new URLSearchParams({ name })}`);
  return { goTo: `/console/removals/${segmentOf(job)}` };
}

async function countOf(visit: ConsoleVisit, path: string): Promise<string> {
  const { totalResults } = await visit.api.get<{ totalResults: number }>(scimOf(visit, path), { count: 0 });
  return number(totalResults, visit.language);
}

async function atLeast(visit: ConsoleVisit, path: string): Promise<string> {
  const { items, next } = await visit.api.get<{ items: unknown[]; next?: string }>(apiOf(visit, path), {
    limit: 100,
  });
  return `${items.length}${next === undefined ? '' : '+'}`;
}
