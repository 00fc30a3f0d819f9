import { type Pace, spentByAll } from '../compare.js';
import { fire, type Load, median } from '../load.js';
import { compared, judgedTime, milliseconds, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { importPerson, post } from './import-requests.js';

/** Users of one call. */
const sizes = [10, 100, 1_000];
const inFlight = 4;
/** Milliseconds of processor time of one call: half of what it took before small imports were one document. */
const mostMs = new Map([
  [10, 48],
  [100, 60],
]);
/** Users of the call with which the small ones are compared. */
const large = 10_000;

let number = 0;

function bodyOf(orgId: string, size: number): string {
  number += 1;
  const humanUsers = Array.from({ length: size }, (_, index) => importPerson(`small-${number}-${index}`));
  return JSON.stringify({ timeout: '5m', dataOrgs: { orgs: [{ orgId, humanUsers }] } });
}

/** A large call takes longer than a usual round. The end of a round cuts the calls in flight, whose processor time counts, so many must end. */
function secondsOf(size: number, { seconds }: Pace): number {
  return seconds * Math.max(3, size / 100);
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

/** What rounds of one size measured. */
interface Measured {
  /** Users per second. */
  readonly rates: number[];
  /** Milliseconds of processor time for a call. */
  readonly costs: number[];
}

/** Imports of few users a call, compared with one import of many: users per second, and the processor time of a call. */
export async function measureSmallImports(setting: Setting, pace: Pace): Promise<Row[]> {
  const few = new Map<number, Measured>(sizes.map((size) => [size, { rates: [], costs: [] }]));
  const many: Measured = { rates: [], costs: [] };
  for (const size of sizes) await fire(smallImports(setting, size), pace.warmUpSeconds);
  await importMany(setting);
  for (let round = 0; round < pace.rounds; round++) {
    for (const [size, { rates, costs }] of few) {
      const spent = await spentByAll();
      const { rate, latencies } = await fire(smallImports(setting, size), secondsOf(size, pace));
      rates.push(size * rate);
      costs.push((await spent()) / latencies.length);
    }
    const spent = await spentByAll();
    many.rates.push(await importMany(setting));
    many.costs.push(await spent());
  }
  return [...few].flatMap(([size, measured]) => rowsOf(size, measured, many));
}

/** @returns users per second */
async function importMany(setting: Setting): Promise<number> {
  const started = performance.now();
  const pieces = [bodyOf(setting.organization.id, large)];
  await post({ setting }, { to: 'import', pieces, expected: `"created":${large},` });
  return large / ((performance.now() - started) / 1_000);
}

function rowsOf(size: number, { rates, costs }: Measured, many: Measured): Row[] {
  const what = `import of ${size.toLocaleString('en')} users a call`;
  const whole = `${large.toLocaleString('en')} users in one call`;
  const part = many.costs.map((cost) => (cost * size) / large);
  const cost = {
    ...{ ours: median(costs), peer: median(part) },
    ratio: median(costs.map((one, round) => one / (part[round] ?? Number.NaN))),
  };
  const row = {
    ...{ measure: `${what}, processor time of one`, ours: milliseconds(cost.ours) },
    peer: `${size.toLocaleString('en')} of ${whole}: ${milliseconds(cost.peer)}`,
  };
  const most = mostMs.get(size);
  return [
    compared(
      {
        measure: `${what}, ${inFlight} in flight`,
        ours: rate(median(rates), 'users/s'),
        peer: `${whole}: ${rate(median(many.rates), 'users/s')}`,
      },
      median(rates.map((one, round) => one / (many.rates[round] ?? Number.NaN))),
    ),
    most === undefined ? compared(row, cost.ratio) : judgedTime(row, cost, most),
  ];
}
