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
import { keepInFlight, openOperations, type Perform } from './model/mixed-load.js';
import { simulate } from './model/simulate.js';
import { peopleWeights, sizingTable, withSizing } from './model/sizing.js';
import { type Kinds, processorTimes, storeKinds } from './process-kinds.js';
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
/** In flight while one operation is measured alone: about as many as the mix has of it. */
const inFlightAlone = 8;
const runs = 5;
const guide = 'docs/operations.md';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { table: { type: 'boolean', default: false }, seconds: { type: 'string', default: '8' } },
  });
  if (!values.table) writeCosts(await measure(Number(values.seconds)));
  const measured = readCosts();
  await writeFile(guide, withSizing(await readFile(guide, 'utf8'), sizingTable(measured, peopleWeights())));
  const rows = operationNames.map((name) => [
    name,
    ...spenders.map((spender) => measured.costs[name][spender].toFixed(3)),
  ]);
  console.log(markdownTable([['ms of processor time', ...spenders], ...rows]));
  const ratio = (measured.simulated / measured.measured).toFixed(2);
  const byClock = (measured.simulated / measured.byClock).toFixed(2);
  console.log(
    `The mix: ${measured.simulated.toFixed(0)} operations/s simulated, ${measured.measured.toFixed(0)} of processor time: ${ratio}, ${measured.byClock.toFixed(0)} by the clock: ${byClock}`,
  );
}

async function measure(seconds: number): Promise<MeasuredCosts> {
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
    const found: [MeasuredOperation, Cost][] = [];
    for (const operation of operationNames)
      found.push([operation, await costOf(perform, operation, { hash, seconds, idle: idle.spent })]);
    const costs = Object.fromEntries(found) as MeasuredCosts['costs'];
    const next = inTurn();
    const rates: number[] = [];
    const byClock: number[] = [];
    const cores = availableParallelism();
    for (let run = 0; run < runs; run++) {
      const { count, spent } = await watched(() => keepInFlight(perform, { next, inFlight, seconds }));
      const all = [...spent.values()].reduce((sum, ms) => sum + ms, 0);
      // In a second of these cores. Other programs on the machine may use them too.
      rates.push(count / (all / 1_000 / cores));
      byClock.push(count / seconds);
    }
    return {
      ...{ ended: new Date().toISOString().slice(0, 16), engine, cores, costs },
      ...{ measured: median(rates), byClock: median(byClock) },
      simulated: simulatedRate(costs, cores),
    };
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

/** The processes whose time counts, beside this one, which is that of the clients. */
const kinds: Kinds = {
  api: (line) => line.includes('dist/src/server.js'),
  worker: (line) => line.includes('dist/workers/main.js'),
  ...storeKinds,
};

/** Does work, and returns the milliseconds of processor time that each kind of process spent on it. */
async function watched(
  work: () => Promise<{ count: number; seconds: number }>,
): Promise<{ count: number; took: number; spent: ReadonlyMap<string, number> }> {
  const [before, own] = [await processorTimes(kinds), process.cpuUsage()];
  const { count, seconds } = await work();
  const { user, system } = process.cpuUsage(own);
  const after = await processorTimes(kinds);
  const others = [...after].map(([kind, ms]) => [kind, ms - (before.get(kind) ?? 0)] as const);
  return { count, took: seconds, spent: new Map([...others, ['clients', (user + system) / 1_000]]) };
}

async function costOf(
  perform: Perform,
  operation: MeasuredOperation,
  { hash, seconds, idle }: { hash: number; seconds: number; idle: ReadonlyMap<string, number> },
): Promise<Cost> {
  const load = { next: () => operation, inFlight: inFlightAlone };
  // V8 compiles for a while.
  await keepInFlight(perform, { ...load, seconds });
  const { count, took, spent } = await watched(() => keepInFlight(perform, { ...load, seconds }));
  // What processes spend without any operation is no cost of it.
  const of = (kind: string) =>
    Math.max(0, (spent.get(kind) ?? 0) - ((idle.get(kind) ?? 0) * took) / seconds) / count;
  const hashed = operation === 'sign-in' ? hash : 0;
  return {
    ...{ clients: of('clients'), api: Math.max(0, of('api') - hashed), hash: hashed },
    ...{ worker: of('worker'), gateway: of('gateway'), engine: of('engine'), redis: of('redis') },
  };
}

await main();
