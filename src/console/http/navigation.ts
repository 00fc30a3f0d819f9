import { guidesPath } from '#src/http/base/guides-path.js';
import { type Html, html } from '#src/http/pages/html.js';
import { form } from './form.js';
import { segmentOf } from './segments.js';
import { type ConsoleVisit, ownsInstance, ownsOrganization } from './visit.js';

interface Item {
  readonly path: string;
  readonly label: string;
}

/** The menu: what the person may open in the instance, and in the organization of the page. */
export function navigation(
  visit: ConsoleVisit,
  organization: { readonly id: string; readonly name: string } | undefined,
): Html {
  const { at, me, t } = visit;
  const home = { id: me.orgId, name: me.orgName };
  const { id, name } = organization ?? home;
  return html`<header class="menu">
<p class="product"><a href="${at('/console')}"><span class="mark" aria-hidden="true">M</span>Muster</a></p>
<input type="checkbox" id="menu-open" class="away"><label for="menu-open" class="button quiet opener">${t.menu}</label>
<div class="drawer">
<nav aria-label="${t.menu}">
${list(visit, instanceItems(visit))}
<h2>${name}</h2>
${list(visit, organizationItems(visit, id))}
</nav>
<div class="me"><p><strong>${me.displayName}</strong><br><span class="soft">${me.userName}</span></p>
<p class="links"><a href="${at('/account')}">${t.myAccount}</a> <a href="${at(guidesPath)}" hreflang="en">${t.guides}</a></p>
${form(visit, { action: '/console/sign-out', content: html`<button type="submit" class="quiet">${t.signOut}</button>` })}</div>
</div>
</header>`;
}

/** Paths that begin the paths of other items. */
const lists: ReadonlySet<string> = new Set(['/console', '/console/orgs']);

function list({ request, at }: ConsoleVisit, items: readonly Item[]): Html {
  const here = request.url.split('?', 1)[0] ?? '';
  // Pages of one organization have its menu, so the list of all is not where the person is.
  const isCurrent = (path: string) =>
    here === path || (!lists.has(path) && here.startsWith(`${path}/`)) || here === `${path}/new`;
  return html`<ul>${items.map(
    ({ path, label }) =>
      html`<li><a href="${at(path)}"${isCurrent(path) && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul>`;
}

function instanceItems(visit: ConsoleVisit): Item[] {
  const { t } = visit;
  const start = { path: '/console', label: t.nav.start };
  if (!ownsInstance(visit)) return [start];
  return [
    start,
    { path: '/console/orgs', label: t.nav.organizations },
    { path: '/console/migration', label: t.nav.migration },
    { path: '/console/log', label: t.nav.log },
    { path: '/console/service', label: t.nav.service },
  ];
}

function organizationItems(visit: ConsoleVisit, orgId: string): Item[] {
  const { t } = visit;
  const base = `/console/orgs/${segmentOf(orgId)}`;
  const people = [
    { path: `${base}/users`, label: t.nav.users },
    { path: `${base}/groups`, label: t.nav.groups },
  ];
  if (!ownsOrganization(visit, orgId)) return people;
  return [
    ...people,
    { path: `${base}/applications`, label: t.nav.applications },
    { path: `${base}/projects`, label: t.nav.projects },
    { path: `${base}/service-users`, label: t.nav.serviceUsers },
    { path: `${base}/provisioning`, label: t.nav.provisioning },
    { path: `${base}/connections`, label: t.nav.connections },
    { path: `${base}/settings`, label: t.nav.settings },
    { path: `${base}/log`, label: t.nav.log },
  ];
}
