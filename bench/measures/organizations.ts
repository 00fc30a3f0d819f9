import type { Organization } from '#src/directory/organization.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { compareP95, type Pace } from '../compare.js';
import { loadUsers } from '../load-users.js';
import { firstNumbers, profileOf, scimUser } from '../people.js';
import { startApi } from '../programs.js';
import { judged, milliseconds, type Row } from '../report.js';
import { editor, openSetting, type Setting } from '../setting.js';
import { scimTarget } from '../target.js';

const connections = 4;
const asked = { atMost: 2 };
const usersOfEach = 100;
const headers = { 'content-type': 'application/scim+json' };
let number: number = firstNumbers.organizations;

export interface OrganizationsSizes {
  readonly few: number;
  readonly many: number;
}

/**
 * The 95th percentile of SCIM requests in any of many organizations with 100 users each, compared with any of a few. There are two
 * databases and two processes.
 */
export async function measureOrganizations({ few, many }: OrganizationsSizes, pace: Pace): Promise<Row[]> {
  const ends: (() => Promise<void>)[] = [];
  const open = async (count: number) => {
    const setting = await openSetting();
    ends.push(() => setting.close());
    const organizations = await loadOrganizations(setting, count);
    const api = await startApi(setting);
    ends.push(() => api.stop());
    return { setting, organizations };
  };
  try {
    const large = await open(many);
    const small = await open(few);
    const rows: Row[] = [];
    for (const [measure, shot] of requests) {
      const load = ({ setting, organizations }: typeof large) => ({
        url: setting.baseUrl,
        connections,
        next: () => {
          const { id } = organizations[Math.floor(Math.random() * organizations.length)] as Organization;
          return scimTarget(setting.baseUrl, id, setting.client.personalAccessToken).shot(shot());
        },
      });
      const { ours, peer, ratio } = await compareP95(load(large), load(small), pace);
      const scale = (count: number) =>
        `${(count * usersOfEach).toLocaleString('en')} users in ${count.toLocaleString('en')}`;
      const row = {
        measure: `${measure}, p95 at ${scale(many)} organizations`,
        ours: milliseconds(ours),
        peer: `${scale(few)}: ${milliseconds(peer)}`,
      };
      rows.push(judged(row, ratio, asked));
    }
    return rows;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const anyone = () => profileOf(Math.floor(Math.random() * usersOfEach));

const requests = [
  ['first page', () => ({ method: 'GET', path: '/Users?count=100' })],
  [
    'userName eq',
    () => ({
      method: 'GET',
      path: `/Users?filter=${encodeURIComponent(`userName eq "${anyone().userName}"`)}`,
    }),
  ],
  [
    'SCIM create, no password',
    () => {
      number += 1;
      return { method: 'POST', path: '/Users', headers, body: JSON.stringify(scimUser(number)) };
    },
  ],
] as const satisfies [string, () => { method: 'GET' | 'POST'; path: string }][];

/** Adds organizations with the same people each. */
async function loadOrganizations({ container }: Setting, count: number): Promise<Organization[]> {
  const organizations: Organization[] = [];
  for (let n = 0; n < count; n++) {
    const organization = await addOrganization(container, { name: `Organization ${n}`, editor });
    await loadUsers(container, organization, usersOfEach);
    organizations.push(organization);
  }
  return organizations;
}
