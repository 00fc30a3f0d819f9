import { resolve } from 'node:path';
import { freePort } from '../../dev/free-port.js';
import { compareCosts, compareRates, type Pace, type Spent } from '../compare.js';
import { withCoreOfItsOwn } from '../core-of-its-own.js';
import type { Load, Shot } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { ownKinds, processorTimes, spentBy } from '../process-kinds.js';
import { type Running, startProgram } from '../processes.js';
import { compared, judged, milliseconds, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import { scimTarget } from '../target.js';
import { jwtRequest } from './tokens.js';

const connections = 16;
/** Users that are read in turn. */
const people = 500;
const headers = { 'content-type': 'application/scim+json' };
/** Two processes on cores that are full are as fast as one. */
const asked = { atLeast: 0.95 };

let number: number = firstNumbers.twoProcesses;

/** What a number of API processes does that share a port. */
interface Side {
  readonly url: string;
  readonly processes: Running;
}

/**
 * Two API processes beside one: creates, gets and JWTs, first on all cores, and then with the engine on a core of its own. Both sides have the
 * same database. The rows of processor time say whether a difference is of the API or of the engine.
 */
export async function measureTwoProcesses(setting: Setting, usual: Pace): Promise<Row[]> {
  // Each of the two processes gets half of the warm-up.
  const pace = { ...usual, warmUpSeconds: 3 * usual.warmUpSeconds };
  const two = await startProcesses(setting, 2);
  const one = await startProcesses(setting, 1);
  try {
    const loads = await loadsOf(setting, one.url);
    const rows: Row[] = [];
    for (const [what, load] of Object.entries(loads))
      rows.push(await compareSides(what, [load(two.url), load(one.url)], pace));
    for (const kinds of [['api'], ['gateway', 'engine']])
      rows.push(
        await costOfCreate([loads['SCIM create'](two.url), loads['SCIM create'](one.url)], { kinds, pace }),
      );
    await withCoreOfItsOwn('engine', async () => {
      for (const [what, load] of Object.entries(loads)) {
        const name = `${what}, the engine on a core of its own`;
        rows.push(await compareSides(name, [load(two.url), load(one.url)], pace));
      }
    });
    return rows;
  } finally {
    for (const { processes } of [one, two]) await processes.stop();
  }
}

/** API processes as `muster start` runs them, at a port of their own. */
async function startProcesses(setting: Setting, count: number): Promise<Side> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const processes = await startProgram({
    name: `${count}-processes`,
    args: [resolve('dist/src/cli/main.js'), 'start', '--processes', String(count), '--workers', '0'],
    env: { ...setting.env, PORT: port },
    logFolder: setting.logFolder,
    readyUrl: `${url}/readyz`,
  });
  return { url, processes };
}

async function loadsOf(setting: Setting, url: string) {
  const { organization, client } = setting;
  const { shot } = scimTarget(url, organization.id, client.personalAccessToken);
  const create = (): Shot => {
    number += 1;
    return shot({ method: 'POST', path: '/Users', headers, body: JSON.stringify(scimUser(number)) });
  };
  const gets: Shot[] = [];
  for (let n = 0; n < people; n++) {
    const { path, ...request } = create();
    const answer = await fetch(url + path, request as RequestInit);
    if (answer.status !== 201) throw new Error(await answer.text());
    gets.push(shot({ method: 'GET', path: `/Users/${((await answer.json()) as { id: string }).id}` }));
  }
  const jwt = await jwtRequest(setting);
  const at = (next: Load['next']) => (of: string) => ({ url: of, connections, next });
  return { 'SCIM create': at(create), 'SCIM get by id': at(gets), 'client_credentials, JWT': at(jwt) };
}

async function compareSides(what: string, [two, one]: readonly [Load, Load], pace: Pace): Promise<Row> {
  const { ours, peer, ratio } = await compareRates(two, one, pace);
  const row = { measure: `${what}, by two API processes`, ours: rate(ours), peer: `by one: ${rate(peer)}` };
  return judged(row, ratio, asked);
}

/** @param kinds whose processor time counts */
async function costOfCreate(
  [two, one]: readonly [Load, Load],
  { kinds, pace }: { kinds: readonly string[]; pace: Pace },
): Promise<Row> {
  const spent: Spent = async () => {
    const before = await processorTimes(ownKinds);
    return async () => spentBy(kinds, { before, after: await processorTimes(ownKinds) });
  };
  const { costs } = await compareCosts(two, one, { pace, spent });
  const row = {
    measure: `SCIM create by two API processes, processor time of the ${kinds.at(-1)} for one`,
    ours: milliseconds(costs.ours),
    peer: `by one: ${milliseconds(costs.peer)}`,
  };
  return compared(row, costs.ratio);
}
