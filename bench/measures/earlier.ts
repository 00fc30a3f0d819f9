import { setTimeout as pause } from 'node:timers/promises';
import { startBulkClients } from '../bulk-clients.js';
import { compareRates, type Pace } from '../compare.js';
import { besideEarlier, type Version } from '../earlier-version.js';
import { type Load, median } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { judged, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { countUsers, type ScimTarget, scimTarget } from '../target.js';
import { exportOnce } from './export.js';
import { bodyOf, post } from './import-requests.js';

let number: number = firstNumbers.earlier;
let firstOfBulks: number = firstNumbers.besideReads;
let imports = 0;

/**
 * Writes, compared with an earlier version. Both versions run at the same time. Each has its own
 * database on the same engine. The rounds alternate.
 * @param earlier
 * - `folder`: a checkout of the earlier version, with its packages and its `dist`.
 * - `imported`: the users of one import.
 */
export async function measureEarlier(
  setting: Setting,
  { folder, imported, pace }: { folder: string; imported: number; pace: Pace },
): Promise<Row[]> {
  const rows: Row[] = [];
  await besideEarlier(setting, { folder }, async (now, before) => {
    for (const inFlight of [4, 16]) rows.push(await compareBulks(now, before, { inFlight, pace }));
    rows.push(
      await compare('SCIM create, no password, 16 in flight', {
        loads: [creates(now), creates(before)],
        atLeast: 1.3,
        pace,
      }),
    );
    const rates = { now: [] as number[], before: [] as number[] };
    const rounds = imported > 100_000 ? 1 : pace.rounds;
    for (let round = 0; round < rounds; round++) {
      rates.now.push(await importRate(now, imported));
      rates.before.push(await importRate(before, imported));
    }
    rows.push(ratesOf(`import of ${imported.toLocaleString('en')} users`, rates, { atLeast: 2.5 }));
    const exports = { now: [] as number[], before: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      exports.now.push(await exportRate(now));
      exports.before.push(await exportRate(before));
    }
    rows.push(ratesOf('export of all users so far', exports, { atLeast: 2 }));
  });
  return rows;
}

function ratesOf(
  what: string,
  { now, before }: { now: number[]; before: number[] },
  asked: { readonly atLeast: number },
): Row {
  const ratio = median(now.map((one, round) => one / (before[round] ?? Number.NaN)));
  const row = {
    measure: `${what}, beside the earlier version`,
    ours: rate(median(now), 'users/s'),
    peer: `earlier version: ${rate(median(before), 'users/s')}`,
  };
  return judged(row, ratio, asked);
}

async function compare(
  measure: string,
  of: { loads: readonly [Load, Load]; atLeast: number; pace: Pace },
): Promise<Row> {
  const { ours, peer, ratio } = await compareRates(...of.loads, of.pace);
  const row = { measure, ours: rate(ours, 'users/s'), peer: `earlier version: ${rate(peer, 'users/s')}` };
  return judged(row, ratio, { atLeast: of.atLeast });
}

function nextUser() {
  number += 1;
  return scimUser(number);
}

function load(
  { setting, orgId }: Version,
  to: { path: string; connections: number; body: () => unknown },
): Load {
  return {
    url: setting.baseUrl,
    connections: to.connections,
    next: () => ({
      method: 'POST',
      path: `/scim/v2/${orgId}${to.path}`,
      headers: {
        authorization: `Bearer ${setting.client.personalAccessToken}`,
        'content-type': 'application/scim+json',
      },
      body: JSON.stringify(to.body()),
    }),
  };
}

function creates(version: Version): Load {
  return load(version, { path: '/Users', connections: 16, body: nextUser });
}

/**
 * Each phase ends when every Bulk has its response. With 16 in flight, a Bulk may take longer than a round of the other measures, and the
 * rest of one side would run in the round of the other.
 */
async function compareBulks(
  now: Version,
  before: Version,
  { inFlight, pace }: { inFlight: number; pace: Pace },
): Promise<Row> {
  const sides = [now, before].map((version) => {
    const target = targetOf(version);
    firstOfBulks += 100_000;
    return { target, clients: startBulkClients(target, { inFlight, firstNumber: firstOfBulks }) };
  });
  const rates: number[][] = [[], []];
  try {
    for (let round = 0; round <= pace.rounds; round++) {
      for (const [side, { target, clients }] of sides.entries()) {
        const users = await countUsers(target);
        const started = performance.now();
        clients.begin();
        // Twice as long as other rounds, because the last Bulks count too.
        await pause(2 * pace.seconds * 1_000);
        await clients.end();
        const seconds = (performance.now() - started) / 1_000;
        // The first round warms up.
        if (round > 0) rates[side]?.push(((await countUsers(target)) - users) / seconds);
      }
    }
  } finally {
    for (const { clients } of sides) clients.close();
  }
  const [ours = [], peer = []] = rates;
  const row = {
    measure: `SCIM Bulk of 100 creates, ${inFlight} in flight`,
    ours: rate(median(ours), 'users/s'),
    peer: `earlier version: ${rate(median(peer), 'users/s')}`,
  };
  return judged(row, median(ours.map((one, round) => one / (peer[round] ?? Number.NaN))), { atLeast: 2.5 });
}

function targetOf({ setting, orgId }: Version): ScimTarget {
  return scimTarget(setting.baseUrl, orgId, setting.client.personalAccessToken);
}

/** Both versions have about as many users: each import has the same number, and each Bulk is one of as many rounds. */
async function exportRate(version: Version): Promise<number> {
  const { setting, orgId } = version;
  const totalResults = await countUsers(targetOf(version));
  const started = performance.now();
  await exportOnce(setting, { id: orgId });
  return totalResults / ((performance.now() - started) / 1_000);
}

async function importRate({ setting, orgId }: Version, size: number): Promise<number> {
  imports += 1;
  const started = performance.now();
  const pieces = bodyOf(orgId, size, `beside-${imports}`);
  await post({ setting }, { to: 'import', pieces, expected: `"created":${size},` });
  return size / ((performance.now() - started) / 1_000);
}
