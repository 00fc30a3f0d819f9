import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { besideEarlier, type Version } from './earlier-version.js';
import { fire, median, type Shot } from './load.js';
import { markdownTable } from './markdown.js';
import { firstNumbers, scimUser } from './people.js';
import { processorTimes, storeKinds } from './process-kinds.js';
import { stopAll } from './processes.js';
import { openSetting } from './setting.js';
import { type ScimTarget, scimTarget } from './target.js';

/**
 * Prints the processor time that one change by SCIM costs in each process, in this version and in an earlier one. The rounds of both
 * versions alternate, each with 16 requests in flight. Clients do not count.
 */

const people = 500;
const groupsOfKind = 100;
const connections = 16;
const headers = { 'content-type': 'application/scim+json' };
const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

/** A version with users and groups, of which half have all users as members. */
interface Stocked {
  readonly target: ScimTarget;
  readonly userIds: readonly string[];
  /** The numbers of these users. */
  readonly numbers: readonly number[];
  readonly empty: readonly string[];
  readonly full: readonly string[];
}

async function send({ url, shot }: ScimTarget, given: Shot): Promise<{ id: string }> {
  const { path, ...request } = shot({ ...given, headers });
  const answer = await fetch(`${url}${path}`, request as RequestInit);
  if (!answer.ok) throw new Error(`${given.method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

let number: number = firstNumbers.scim;

function newUser(): string {
  number += 1;
  return JSON.stringify(scimUser(number));
}

async function stock({ setting, orgId }: Version): Promise<Stocked> {
  const target = scimTarget(setting.baseUrl, orgId, setting.client.personalAccessToken);
  const userIds: string[] = [];
  const numbers: number[] = [];
  for (let n = 0; n < people; n++) {
    userIds.push((await send(target, { method: 'POST', path: '/Users', body: newUser() })).id);
    numbers.push(number);
  }
  const groups = async (name: string, members: readonly string[]) => {
    const ids: string[] = [];
    for (let n = 0; n < groupsOfKind; n++) {
      const body = JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: `${name} ${n}`,
        members: members.map((value) => ({ value })),
      });
      ids.push((await send(target, { method: 'POST', path: '/Groups?attributes=id', body })).id);
    }
    return ids;
  };
  return { target, userIds, numbers, empty: await groups('Empty', []), full: await groups('Full', userIds) };
}

/** The kinds of changes, each as a source of requests. */
function changesOf({ target, userIds, numbers, empty, full }: Stocked): Record<string, () => Shot> {
  const inTurn = (shotOf: (turn: number) => Omit<Shot, 'headers'>) => {
    let turn = 0;
    return () => target.shot({ ...shotOf(turn++), headers });
  };
  const ofMembers = (op: 'add' | 'remove', groups: readonly string[]) =>
    inTurn((turn) => {
      const value = userIds[Math.floor(turn / groups.length) % userIds.length];
      const operation =
        op === 'add'
          ? { op, path: 'members', value: [{ value }] }
          : { op, path: `members[value eq "${value}"]` };
      return {
        method: 'PATCH',
        path: `/Groups/${groups[turn % groups.length]}`,
        body: JSON.stringify({ schemas, Operations: [operation] }),
      };
    });
  const titleOf = (turn: number) => `Title ${turn}`;
  return {
    'create of a user': inTurn(() => ({ method: 'POST', path: '/Users', body: newUser() })),
    'PATCH of a user': inTurn((turn) => ({
      method: 'PATCH',
      path: `/Users/${userIds[turn % people]}`,
      body: JSON.stringify({ schemas, Operations: [{ op: 'replace', path: 'title', value: titleOf(turn) }] }),
    })),
    'PUT of a user': inTurn((turn) => {
      const at = turn % people;
      const body = JSON.stringify({ ...scimUser(numbers[at] ?? 0), title: titleOf(turn) });
      return { method: 'PUT', path: `/Users/${userIds[at]}`, body };
    }),
    'deactivation or activation of a user': inTurn((turn) => {
      const value = Math.floor(turn / people) % 2 === 1;
      const Operations = [{ op: 'replace', path: 'active', value }];
      const body = JSON.stringify({ schemas, Operations });
      return { method: 'PATCH', path: `/Users/${userIds[turn % people]}`, body };
    }),
    'PATCH that adds a member': ofMembers('add', empty),
    'PATCH that removes a member': ofMembers('remove', full),
  };
}

interface Cost {
  readonly rate: number;
  /** Milliseconds of one change, by kind of process. */
  readonly each: ReadonlyMap<string, number>;
}

async function measure(next: () => Shot, { url }: ScimTarget, seconds: number): Promise<Cost> {
  const kinds = { api: (line: string) => line.includes('dist/src/server.js'), ...storeKinds };
  const before = await processorTimes(kinds);
  const { latencies, rate } = await fire({ url, connections, next }, seconds);
  const after = await processorTimes(kinds);
  const each = new Map(
    [...after].map(([kind, ms]) => [kind, (ms - (before.get(kind) ?? 0)) / latencies.length]),
  );
  return { rate, each };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      earlier: { type: 'string' },
      /** Measures only the changes whose name contains this. */
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
    },
  });
  if (values.earlier === undefined)
    throw new Error('--earlier names a checkout with its packages and its dist');
  const setting = await openSetting();
  try {
    await besideEarlier(setting, { folder: resolve(values.earlier) }, async (now, before) => {
      const sides = [];
      for (const [name, version] of [
        ['earlier', before],
        ['this', now],
      ] as const) {
        const stocked = await stock(version);
        sides.push({ name, target: stocked.target, changes: changesOf(stocked) });
      }
      const rows: string[][] = [];
      for (const change of Object.keys(sides[0]?.changes ?? {})) {
        if (!change.includes(values.only)) continue;
        const costs = new Map<string, Cost[]>(sides.map(({ name }) => [name, []]));
        // The first round warms up.
        for (let round = 0; round <= Number(values.rounds); round++) {
          for (const { name, target, changes } of round % 2 === 0 ? sides : sides.toReversed()) {
            const cost = await measure(changes[change] as () => Shot, target, Number(values.seconds));
            if (round > 0) costs.get(name)?.push(cost);
          }
        }
        for (const [name, of] of costs) rows.push([change, name, ...medians(of)]);
      }
      console.log(
        markdownTable([
          ['ms of one change', 'version', 'rate/s', 'api', ...Object.keys(storeKinds), 'sum'],
          ...rows,
        ]),
      );
    });
  } finally {
    await stopAll();
    await setting.close();
  }
}

function medians(costs: readonly Cost[]): string[] {
  const kinds = [...(costs[0]?.each.keys() ?? [])];
  const sums = costs.map(({ each }) => [...each.values()].reduce((all, ms) => all + ms, 0));
  return [
    median(costs.map(({ rate }) => rate)).toFixed(0),
    ...kinds.map((kind) => median(costs.map(({ each }) => each.get(kind) ?? Number.NaN)).toFixed(3)),
    median(sums).toFixed(3),
  ];
}

await main();
