import { addOrganization } from '#src/directory/add-organization.js';
import type { Organization } from '#src/directory/organization.js';
import { compareP95, type Pace } from '../compare.js';
import { loadUsers } from '../load-users.js';
import { digits, profileOf } from '../people.js';
import { compared, judged, milliseconds, type Row } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { type ScimTarget, scimTarget } from '../target.js';
import { compareLogins, peopleOf } from './oidc-login.js';

const connections = 4;
const asked = { atMost: 2 };

/** Sizes of the two organizations, and what is asked of both. */
export interface SearchSizes {
  readonly small: number;
  readonly large: number;
  /** Of a third one, for the reads that are judged. */
  readonly huge?: number;
}

/** The 95th percentile of reads in a large organization beside the same reads in a small one. */
export async function measureSearch(
  setting: Setting,
  token: string,
  { sizes, pace }: { sizes: SearchSizes; pace: Pace },
): Promise<{ rows: Row[]; loadRate: number }> {
  const { container } = setting;
  const organization = async (name: string, size: number): Promise<[Organization, number]> => {
    const added = await addOrganization(container, { name, editor });
    const started = performance.now();
    await loadUsers(container, added, size);
    return [added, size / ((performance.now() - started) / 1000)];
  };
  const [small] = await organization('Small', sizes.small);
  const [large, loadRate] = await organization('Large', sizes.large);
  const target = ({ id }: Organization) => scimTarget(setting.baseUrl, id, token);
  const compareWith = { pace, small: { target: target(small), size: sizes.small } };
  await untilStatistics(setting, large);
  const rows = await compareReads({ target: target(large), size: sizes.large }, compareWith, queries);
  if (sizes.huge !== undefined) {
    const [huge] = await organization('Huge', sizes.huge);
    await untilStatistics(setting, huge);
    const reads = queries.filter(([, judge]) => judge);
    rows.push(...(await compareReads({ target: target(huge), size: sizes.huge }, compareWith, reads)));
    const many = await peopleOf(setting, huge);
    const few = await peopleOf(setting, small);
    const { ours, peer, ratio } = await compareLogins(many, few, pace);
    const row = {
      measure: `password login, time of one in an organization of ${sizes.huge.toLocaleString('en')} users`,
      ours: milliseconds(ours),
      peer: `of ${sizes.small.toLocaleString('en')} users: ${milliseconds(peer)}`,
    };
    rows.push(judged(row, ratio, asked));
  }
  return { rows, loadRate };
}

/** An organization that is read. */
interface Loaded {
  readonly target: ScimTarget;
  readonly size: number;
}

async function compareReads(
  large: Loaded,
  { small, pace }: { small: Loaded; pace: Pace },
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
    rows.push(judge ? judged(row, result.ratio, asked) : compared(row, result.ratio));
  }
  return rows;
}

type Query = [measure: string, judge: boolean, query: (n: number) => string];

const filter = (text: string) => `filter=${encodeURIComponent(text)}`;

/** Queries for the n-th person; prefixes and suffixes fit ten users in either organization. */
const queries: Query[] = [
  ['first page', true, () => 'count=100'],
  ['userName eq', true, (n) => filter(`userName eq "${profileOf(n).userName}"`)],
  ['userName sw', true, (n) => filter(`userName sw "p${digits(n).forward.slice(0, -1)}"`)],
  ['userName ew', true, (n) => filter(`userName ew "${digits(n).backward.slice(1)}"`)],
  ['emails eq', false, (n) => filter(`emails.value eq "${profileOf(n).emails[0]?.value}"`)],
  ['emails sw', false, (n) => filter(`emails.value sw "p${digits(n).forward.slice(0, -1)}"`)],
  ['externalId eq', false, (n) => filter(`externalId eq "${profileOf(n).externalId}"`)],
  ['first page, sortBy userName', false, () => 'count=100&sortBy=userName'],
  [
    'first page, sortBy lastModified descending',
    false,
    () => 'count=100&sortBy=meta.lastModified&sortOrder=descending',
  ],
];

/** Engines plan by statistics that they make some seconds after a load; this waits for the planner to be awake. */
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
