import type { Organization } from '#src/directory/organization.js';
import { compareP95, type Pace } from '../compare.js';
import type { Cost } from '../growth.js';
import { organizationOf } from '../load-users.js';
import { digits, profileOf } from '../people.js';
import { compared, judged, milliseconds, type Row } from '../report.js';
import type { Setting } from '../setting.js';
import { type ScimTarget, scimTarget } from '../target.js';
import { compareLogins, peopleOf } from './oidc-login.js';

const connections = 4;
const asked = { atMost: 2 };

/** Sizes of the organizations. */
export interface SearchSizes {
  readonly small: number;
  readonly large: number;
  /** The size of a third organization, for the judged reads. */
  readonly huge?: number;
}

/** The 95th percentile of reads and the time of a login in larger organizations, compared with a small one. */
export async function measureSearch(
  setting: Setting,
  { token, sizes, pace, costs }: { token: string; sizes: SearchSizes; pace: Pace; costs: Cost[] },
): Promise<Row[]> {
  const open = async (size: number): Promise<Loaded> => {
    const organization = await organizationOf(setting.container, size);
    await untilStatistics(setting, organization);
    return { organization, target: scimTarget(setting.baseUrl, organization.id, token), size };
  };
  const small = await open(sizes.small);
  const rows: Row[] = [];
  for (const size of [sizes.large, ...(sizes.huge === undefined ? [] : [sizes.huge])]) {
    const large = await open(size);
    const reads = queries.filter(([, judge]) => judge || size === sizes.large);
    rows.push(...(await compareReads(large, { small, pace, costs }, reads)));
    const many = await peopleOf(setting, large.organization);
    const few = await peopleOf(setting, small.organization);
    const { ours, peer, ratio } = await compareLogins(many, few, pace);
    const row = {
      measure: `password login, time of one in an organization of ${size.toLocaleString('en')} users`,
      ours: milliseconds(ours),
      peer: `of ${sizes.small.toLocaleString('en')} users: ${milliseconds(peer)}`,
    };
    rows.push(judged(row, ratio, asked));
    const what = 'password login, ms of one with others';
    costs.push({ what, users: size, cost: ours }, { what, users: small.size, cost: peer });
  }
  return rows;
}

/** An organization with users, for reads. */
interface Loaded {
  readonly organization: Organization;
  readonly target: ScimTarget;
  readonly size: number;
}

async function compareReads(
  large: Loaded,
  { small, pace, costs }: { small: Loaded; pace: Pace; costs: Cost[] },
  reads: readonly Query[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [measure, judge, query] of reads) {
    const load = ({ target, size }: Loaded) => ({
      url: target.url,
      connections,
      next: () => target.shot({ method: 'GET', path: `/Users?${query(Math.floor(Math.random() * size))}` }),
    });
    const result = await compareP95(load(large), load(small), pace);
    const row = {
      measure: `${measure}, p95 at ${large.size.toLocaleString('en')} users`,
      ours: milliseconds(result.ours),
      peer: `at ${small.size.toLocaleString('en')} users: ${milliseconds(result.peer)}`,
    };
    const what = `${measure}, p95 in ms`;
    if (judge) {
      costs.push(
        { what, users: large.size, cost: result.ours },
        { what, users: small.size, cost: result.peer },
      );
    }
    rows.push(judge ? judged(row, result.ratio, asked) : compared(row, result.ratio));
  }
  return rows;
}

type Query = [measure: string, judge: boolean, query: (n: number) => string];

const filter = (text: string) => `filter=${encodeURIComponent(text)}`;

/** Queries for the n-th person. Prefixes and suffixes match ten users in either organization. */
const queries: Query[] = [
  ['first page', true, () => 'count=100'],
  ['userName eq', true, (n) => filter(`userName eq "${profileOf(n).userName}"`)],
  ['userName sw', true, (n) => filter(`userName sw "p${digits(n).forward.slice(0, -1)}"`)],
  ['userName ew', true, (n) => filter(`userName ew "${digits(n).backward.slice(1)}"`)],
  ['emails eq', false, (n) => filter(`emails.value eq "${profileOf(n).emails?.[0]?.value}"`)],
  ['emails sw', false, (n) => filter(`emails.value sw "p${digits(n).forward.slice(0, -1)}"`)],
  ['externalId eq', false, (n) => filter(`externalId eq "${profileOf(n).externalId}"`)],
  ['first page, sortBy userName', false, () => 'count=100&sortBy=userName'],
  [
    'first page, sortBy lastModified descending',
    false,
    () => 'count=100&sortBy=meta.lastModified&sortOrder=descending',
  ],
];

/** Waits until the engine has statistics. It makes them some seconds after a load, and the planner needs them. */
async function untilStatistics(setting: Setting, large: Organization): Promise<void> {
  const sort = { field: 'search.userName', direction: 1 } as const;
  const deadline = Date.now() + 30_000;
  for (let fast = 0; fast < 3 && Date.now() < deadline; ) {
    const started = performance.now();
    await setting.container.users.page(large.id, { sort, skip: 0, limit: 100 });
    const quick = performance.now() - started < 50;
    fast = quick ? fast + 1 : 0;
    if (!quick) await new Promise((done) => setTimeout(done, 500));
  }
}
