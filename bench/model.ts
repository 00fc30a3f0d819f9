import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import argon2 from 'argon2';
import { median } from './load.js';
import { markdownTable } from './markdown.js';
import {
  type Cost,
  type MeasuredCosts,
  type MeasuredOperation,
  mix,
  mixOf,
  operationNames,
  readCosts,
  type Spender,
  spenders,
  writeCosts,
} from './model/costs.js';
import { keepInFlight, openOperations } from './model/mixed-load.js';
import { simulate } from './model/simulate.js';
import { peopleWeights, sizingTable, withSizing } from './model/sizing.js';
import { busyTime, ownKinds, processorTimes } from './process-kinds.js';
import { startProgram, stopAll } from './processes.js';
import { openSetting, type Setting } from './setting.js';

/**
 * Measures what operations cost at `muster start --processes 2 --workers 2`, and how many of a mix of them the cores do in a second of their time. A
 * simulation with the same costs says how many it should do. It writes the costs to `bench/model/costs.json`, and the table "Sizing" of the guide
 * for operators. With `--table` it measures nothing and writes the table alone.
 */

const processes = 2;
const workers = 2;
const inFlight = 16;
const runs = 5;
const guide = 'docs/operations.md';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { table: { type: 'boolean', default: false }, seconds: { type: 'string', default: '8' } },
  });
  if (!values.table) {
    const found = await measure(Number(values.seconds));
    writeCosts(found.measured);
    print(found);
  }
  const text = await readFile(guide, 'utf8');
  await writeFile(guide, withSizing(text, sizingTable(readCosts(), peopleWeights())));
}

/** What an operation of the mix cost, and for how long the cores did something else meanwhile, in milliseconds of their time. */
interface MixedCost {
  readonly cost: Cost;
  readonly rest: number;
}

interface Found {
  readonly measured: MeasuredCosts;
  /** One for each run. */
  readonly mixed: readonly MixedCost[];
}

/** Prints what each operation cost alone, what the mix should cost by that, and what it did cost. */
function print({ measured, mixed }: Found): void {
  const { costs, underWay, simulated, byClock } = measured;
  const row = (name: string, of: (spender: Spender) => number) => [
    name,
    ...spenders.map((spender) => of(spender).toFixed(3)),
  ];
  const all = sum(Object.values(mix));
  const byCosts = (spender: Spender) =>
    sum(operationNames.map((name) => mix[name] * costs[name][spender])) / all;
  const rows = operationNames.map((name) =>
    row(`${name}, ${underWay[name]} at once`, (spender) => costs[name][spender]),
  );
  rows.push(row('the mix, by these costs', byCosts));
  rows.push(row('the mix, measured', (spender) => median(mixed.map(({ cost }) => cost[spender]))));
  console.log(markdownTable([['ms of processor time', ...spenders], ...rows]));
  const rest = median(mixed.map((one) => one.rest));
  console.log(`The cores did something else for ${rest.toFixed(3)} ms of each operation of the mix.`);
  const ratioTo = (rate: number) => `${rate.toFixed(0)}, ratio ${(simulated / rate).toFixed(2)}`;
  console.log(
    `Operations of the mix in a second: ${simulated.toFixed(0)} simulated, ${ratioTo(measured.measured)} in a second of processor time, ${ratioTo(byClock)} by the clock`,
  );
}

async function measure(seconds: number): Promise<Found> {
  const setting = await openSetting();
  try {
    const { baseUrl: url, env, logFolder, engine } = setting;
    const command = [resolve('dist/src/cli/main.js'), 'start'];
    const counts = ['--processes', String(processes), '--workers', String(workers)];
    await startProgram({
      ...{ name: 'muster', args: [...command, ...counts], env, logFolder },
      readyUrl: `${url}/readyz`,
    });
    const perform = await openOperations(setting);
    const hash = await costOfHash(setting);
    const idle = await watched(() => rest(seconds));
    const next = inTurn();
    const mixture = { next, inFlight, seconds };
    // V8 compiles for a while. Then the mix says how many of each operation are under way.
    await keepInFlight(perform, mixture);
    const { underWay: found } = await keepInFlight(perform, mixture);
    const underWay = byOperation((name) => Math.max(1, Math.round(found.get(name) ?? 0)));
    const costs = new Map<MeasuredOperation, Cost>();
    for (const name of operationNames) {
      const load = { next: () => name, inFlight: underWay[name], seconds };
      await keepInFlight(perform, load);
      const hashed = name === 'sign-in' ? hash : 0;
      costs.set(name, costOf(await watched(() => keepInFlight(perform, load)), { hashed, idle }));
    }
    const mixes: Watched[] = [];
    for (let run = 0; run < runs; run++) mixes.push(await watched(() => keepInFlight(perform, mixture)));
    const cores = availableParallelism();
    const alone = byOperation((name) => costs.get(name) as Cost);
    const hashed = (hash * mix['sign-in']) / sum(Object.values(mix));
    const mixed = mixes.map((run) => ({ cost: costOf(run, { hashed }), rest: restOf(run) / run.count }));
    const measured = {
      ...{ ended: new Date().toISOString().slice(0, 16), engine, cores, costs: alone, underWay },
      // In a second of these cores. Other programs may use them too, which the clock includes.
      measured: median(mixed.map(({ cost }) => (1_000 * cores) / sum(Object.values(cost)))),
      byClock: median(mixes.map(({ count, seconds }) => count / seconds)),
      simulated: simulatedRate(alone, cores),
    };
    return { measured, mixed };
  } finally {
    await stopAll();
    await setting.close();
  }
}

/** What the simulation says of the mix on this machine, whose cores everybody shares. */
function simulatedRate(costs: MeasuredCosts['costs'], cores: number): number {
  const servers: Readonly<Record<Spender, number>> = {
    ...{ clients: 1, api: processes, hash: processes * cores, worker: workers },
    ...{ gateway: cores, engine: cores, redis: 1 },
  };
  const places = Object.fromEntries(
    spenders.map((name) => [name, { machine: 'this', servers: servers[name] }] as const),
  );
  const model = { machines: { this: cores }, places, operations: mixOf(costs) };
  return simulate({ ...model, arrivals: { clients: inFlight }, seconds: 60 }).perSecond;
}

/** The operations of the mix, in an order that spreads them evenly. */
function inTurn(): () => MeasuredOperation {
  const due = new Map(operationNames.map((name) => [name, 0]));
  const all = operationNames.reduce((sum, name) => sum + mix[name], 0);
  return () => {
    for (const name of operationNames) due.set(name, (due.get(name) ?? 0) + mix[name] / all);
    const [[chosen, value]] = [...due].sort(([, a], [, b]) => b - a) as [[MeasuredOperation, number]];
    due.set(chosen, value - 1);
    return chosen;
  };
}

/** Does nothing for so many seconds. */
async function rest(seconds: number): Promise<{ count: number; seconds: number }> {
  await pause(seconds * 1_000);
  return { count: 0, seconds };
}

/** The processor time of one hash, with the settings of the service. */
async function costOfHash({ container: { config } }: Setting): Promise<number> {
  const options = { memoryCost: config.argon2MemoryKib, timeCost: config.argon2Passes, parallelism: 1 };
  const hashes = 20;
  await argon2.hash('warm', options);
  const before = process.cpuUsage();
  for (let n = 0; n < hashes; n++) await argon2.hash('a password', options);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / hashes;
}

/** What was done, and the milliseconds of processor time that each kind of process spent meanwhile. `cores`: any program, and the kernel. */
interface Watched {
  readonly count: number;
  readonly seconds: number;
  readonly spent: ReadonlyMap<string, number>;
}

/** Does work, and watches who spends processor time. */
async function watched(work: () => Promise<{ count: number; seconds: number }>): Promise<Watched> {
  const times = async () => {
    const { user, system } = process.cpuUsage();
    const ofKinds = await processorTimes(ownKinds);
    return new Map([...ofKinds, ['clients', (user + system) / 1_000], ['cores', await busyTime()]]);
  };
  const before = await times();
  const { count, seconds } = await work();
  const after = await times();
  const spent = new Map([...after].map(([kind, ms]) => [kind, ms - (before.get(kind) ?? 0)]));
  return { count, seconds, spent };
}

/** For how long the cores were busy with anything else: the kernel where it charges no process, and other programs. */
function restOf({ spent }: Watched): number {
  const { cores = 0, ...known } = Object.fromEntries(spent);
  return Math.max(0, cores - sum(Object.values(known)));
}

/**
 * What one of the operations cost.
 * @param hashed the part of the API process that is for hashes
 * @param idle what was spent without any operation, and is no cost of it
 */
function costOf(
  { count, seconds, spent }: Watched,
  { hashed, idle }: { hashed: number; idle?: Watched },
): Cost {
  const each = bySpender((name) => {
    const without = idle === undefined ? 0 : ((idle.spent.get(name) ?? 0) * seconds) / idle.seconds;
    return Math.max(0, (spent.get(name) ?? 0) - without) / count;
  });
  return { ...each, api: Math.max(0, each.api - hashed), hash: hashed };
}

function bySpender(of: (name: Spender) => number): Cost {
  return Object.fromEntries(spenders.map((name) => [name, of(name)])) as Record<Spender, number>;
}

function byOperation<T>(of: (name: MeasuredOperation) => T): Record<MeasuredOperation, T> {
  return Object.fromEntries(operationNames.map((name) => [name, of(name)])) as Record<MeasuredOperation, T>;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

await main();
