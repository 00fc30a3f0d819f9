import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareRates, type Pace } from '../compare.js';
import { type Load, median } from '../load.js';
import { scimUser } from '../people.js';
import { type Running, startProgram } from '../processes.js';
import { startApi, startWorker } from '../programs.js';
import { judged, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { bodyOf, post } from './import-requests.js';

const bulkSize = 100;
/** Not a number of another measure. */
let number = 9_000_000;
let imports = 0;

/** One version: its processes, with a database of their own. */
interface Version {
  readonly setting: Pick<Setting, 'baseUrl' | 'client'>;
  readonly orgId: string;
}

/**
 * The writes that the issue about volume names, compared with an earlier version. Both versions run at the same time. Each has its own
 * database on the same engine. The rounds alternate.
 * @param earlier `folder`: a checkout of the earlier version, with its packages and its `dist`; `imported`: the users of one import
 */
export async function measureEarlier(
  setting: Setting,
  { folder, imported, pace }: { folder: string; imported: number; pace: Pace },
): Promise<Row[]> {
  const program = join(folder, 'dist/src/server.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: build the earlier version first`);
  const settings = pathToFileURL(join(folder, 'bench/setting.ts')).href;
  const { openSetting } = (await import(settings)) as { openSetting(): Promise<Setting> };
  const theirs = await openSetting();
  const running: Running[] = [];
  try {
    running.push(await startApi(setting), await startWorker(setting));
    const { env, logFolder, baseUrl } = theirs;
    const start = (name: string, file: string, readyUrl?: string) =>
      startProgram({
        name: `earlier-${name}`,
        args: [join(folder, 'dist', file)],
        env,
        logFolder,
        ...(readyUrl !== undefined && { readyUrl }),
      });
    running.push(await start('api', 'src/server.js', `${baseUrl}/readyz`));
    running.push(await start('worker', 'workers/main.js'));
    const now: Version = { setting, orgId: setting.organization.id };
    const before: Version = { setting: theirs, orgId: theirs.organization.id };
    const rows: Row[] = [];
    for (const inFlight of [4, 16]) {
      rows.push(
        await compare(`SCIM Bulk of 100 creates, ${inFlight} in flight`, {
          loads: [bulks(now, inFlight), bulks(before, inFlight)],
          perRequest: bulkSize,
          atLeast: 2.5,
          pace,
        }),
      );
    }
    rows.push(
      await compare('SCIM create, no password, 16 in flight', {
        loads: [creates(now), creates(before)],
        perRequest: 1,
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
    const row = {
      measure: `import of ${imported.toLocaleString('en')} users, beside the earlier version`,
      ours: rate(median(rates.now), 'users/s'),
      peer: `earlier version: ${rate(median(rates.before), 'users/s')}`,
    };
    rows.push(
      judged(row, median(rates.now.map((one, n) => one / (rates.before[n] ?? Number.NaN))), { atLeast: 2.5 }),
    );
    return rows;
  } finally {
    for (const one of running.reverse()) await one.stop();
    await theirs.close();
  }
}

async function compare(
  measure: string,
  of: { loads: readonly [Load, Load]; perRequest: number; atLeast: number; pace: Pace },
): Promise<Row> {
  const { ours, peer, ratio } = await compareRates(...of.loads, of.pace);
  const users = (requests: number) => rate(requests * of.perRequest, 'users/s');
  const row = { measure, ours: users(ours), peer: `earlier version: ${users(peer)}` };
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

function bulks(version: Version, connections: number): Load {
  const body = () => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: Array.from({ length: bulkSize }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `u${index}`,
      data: nextUser(),
    })),
  });
  return load(version, { path: '/Bulk', connections, body });
}

async function importRate({ setting, orgId }: Version, size: number): Promise<number> {
  imports += 1;
  const started = performance.now();
  const pieces = bodyOf(orgId, size, `beside-${imports}`);
  await post({ setting }, { to: 'import', pieces, expected: `"created":${size},` });
  return size / ((performance.now() - started) / 1_000);
}
