import type { Pace } from '../compare.js';
import { fire, type Load, median } from '../load.js';
import { compared, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { importPerson, post } from './import-requests.js';

/** Users of one call. */
const sizes = [10, 100, 1_000];
const inFlight = 4;
/** Users of the call with which the small ones are compared. */
const large = 10_000;

let number = 0;

function bodyOf(orgId: string, size: number): string {
  number += 1;
  const humanUsers = Array.from({ length: size }, (_, index) => importPerson(`small-${number}-${index}`));
  return JSON.stringify({ timeout: '5m', dataOrgs: { orgs: [{ orgId, humanUsers }] } });
}

/** A large call takes longer than a usual round. */
function secondsOf(size: number, { seconds }: Pace): number {
  return seconds * Math.max(1, size / 100);
}

/** Imports of so many users a call. */
export function smallImports({ baseUrl, client, organization }: Setting, size: number): Load {
  return {
    url: baseUrl,
    connections: inFlight,
    next: () => ({
      method: 'POST',
      path: '/admin/v1/import',
      headers: {
        authorization: `Bearer ${client.personalAccessToken}`,
        'content-type': 'application/json',
      },
      body: bodyOf(organization.id, size),
    }),
    answered(body) {
      // An import whose users all fail is quicker than one that adds them.
      if (!body.includes(`"created":${size},`)) throw new Error(`An import answers ${body.slice(-300)}`);
    },
  };
}

/** Users per second of imports of few users a call, compared with one import of many. */
export async function measureSmallImports(setting: Setting, pace: Pace): Promise<Row[]> {
  const { organization } = setting;
  const loadOf = (size: number) => smallImports(setting, size);
  const importMany = async () => {
    const started = performance.now();
    const pieces = [bodyOf(organization.id, large)];
    await post({ setting }, { to: 'import', pieces, expected: `"created":${large},` });
    return large / ((performance.now() - started) / 1_000);
  };
  for (const size of sizes) await fire(loadOf(size), pace.warmUpSeconds);
  await importMany();
  const few = new Map<number, number[]>(sizes.map((size) => [size, []]));
  const many: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    for (const [size, rates] of few)
      rates.push(size * (await fire(loadOf(size), secondsOf(size, pace))).rate);
    many.push(await importMany());
  }
  return [...few].map(([size, rates]) => {
    const ratios = rates.map((one, round) => one / (many[round] ?? Number.NaN));
    return compared(
      {
        measure: `import of ${size.toLocaleString('en')} users a call, ${inFlight} in flight`,
        ours: rate(median(rates), 'users/s'),
        peer: `${large.toLocaleString('en')} users in one call: ${rate(median(many), 'users/s')}`,
      },
      median(ratios),
    );
  });
}
