import { addMembership } from '#src/access/memberships/add-membership.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Organization } from '#src/directory/organization.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { addUser } from '#src/people/users/add-user.js';
import { newId } from '#src/platform/ids.js';
import { loadUsers } from '../load-users.js';
import { digits } from '../people.js';
import { milliseconds, type Row } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { signInToConsole } from '../sign-in.js';

export interface ConsoleSizes {
  readonly organizations: number;
  /** All users together. Each organization has the same number of them. */
  readonly users: number;
  /** How often each page is asked for. */
  readonly visits: number;
}

/** The longest server time of a page at the 95th percentile, in milliseconds. */
const askedMs = 50;
const eventsOfOrganization = 100;
const password = 'Correct-Horse-7';

/** The 95th percentile of the time of each console page, one request at a time, with many users in many organizations. */
export async function measureConsole(setting: Setting, sizes: ConsoleSizes): Promise<Row[]> {
  const organization = await load(setting, sizes);
  const cookie = await signInAsOwner(setting, organization);
  const perOrganization = Math.floor(sizes.users / sizes.organizations);
  const rows: Row[] = [];
  for (const [page, path] of pagesOf(organization)) {
    const times: number[] = [];
    let status = 0;
    for (let visit = 0; visit < sizes.visits; visit++) {
      const started = performance.now();
      const answer = await fetch(setting.baseUrl + path(visit % perOrganization), {
        headers: { cookie },
        redirect: 'manual',
      });
      await answer.text();
      if (visit >= sizes.visits / 10) times.push(performance.now() - started);
      status = answer.status;
    }
    const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
    const scale = `${sizes.users.toLocaleString('en')} users in ${sizes.organizations.toLocaleString('en')} organizations`;
    // A page that is not shown must not look fast.
    const isShown = status === 200;
    rows.push({
      measure: `console, ${page}, p95 at ${scale}`,
      ours: isShown ? milliseconds(p95) : `status ${status}`,
      ...{ peer: '', ratio: '', asked: `<= ${askedMs} ms` },
      met: isShown && p95 <= askedMs ? 'yes' : 'NO',
    });
  }
  return rows;
}

type Page = readonly [name: string, path: (n: number) => string];

/** Every page with a list or a search. Searches are those of the n-th person. */
function pagesOf({ id }: Organization): Page[] {
  const base = `/console/orgs/${id}`;
  const begin = (n: number) => `p${digits(n).forward.slice(0, -1)}`;
  const name = (n: number) => `p${digits(n).forward}.person.${digits(n).backward}`;
  return [
    // These two are shown only shortly after the sign-in.
    ['import', () => '/console/migration/import'],
    ['export', () => '/console/migration/export'],
    ['start', () => '/console'],
    ['organizations', () => '/console/orgs'],
    ['log', () => '/console/log'],
    ['log, refused sign-ins', () => '/console/log?type=refused'],
    ['log of an organization', () => `${base}/log`],
    ['log of a person', (n) => `${base}/log?person=${name(n)}`],
    ['migration', () => '/console/migration'],
    ['service', () => '/console/service'],
    ['jobs', () => '/console/service/jobs'],
    ['users', () => `${base}/users`],
    ['users, first results of a search', (n) => `${base}/users?search=${begin(n)}`],
    ['groups', () => `${base}/groups`],
    ['applications', () => `${base}/applications`],
    ['service users', () => `${base}/service-users`],
  ];
}

/** Loads the organizations with their users and events. @returns the last one */
async function load(setting: Setting, sizes: ConsoleSizes): Promise<Organization> {
  const { container } = setting;
  const each = Math.floor(sizes.users / sizes.organizations);
  let last = setting.organization;
  for (let n = 0; n < sizes.organizations; n++) {
    last = await addOrganization(container, { name: `Console ${String(n).padStart(4, '0')}`, editor });
    await loadUsers(container, last, each);
    await addEvents(setting, last);
  }
  return last;
}

async function addEvents({ container }: Setting, { id: orgId }: Organization): Promise<void> {
  const date = container.clock.now();
  const events = Array.from({ length: eventsOfOrganization }, (_, n) => {
    const type = n % 10 === 0 ? 'user.human.password.check.failed' : 'user.human.changed';
    const payload = n % 10 === 0 ? { reason: 'passwordWrong' } : { attributes: ['title'] };
    const id = newId();
    return newEvent(type, { aggregate: 'user', id, orgId, editor, sequence: n + 1, date, payload });
  });
  await container.mongo.transaction((transaction) => container.events.append(events, transaction));
}

/** Signs an owner of the instance in. @returns the header `Cookie` of the browser */
async function signInAsOwner({ container, baseUrl }: Setting, organization: Organization): Promise<string> {
  const userName = `console-owner-${newId()}`;
  const profile = { userName, name: { givenName: 'Console', familyName: 'Owner' }, active: true };
  const owner = await addUser(container, { organization, draft: { profile, password }, editor });
  await addMembership(container, { userId: owner.id, role: 'IAM_OWNER', editor });
  return signInToConsole({ baseUrl, address: () => baseUrl }, { loginName: userName, password });
}
