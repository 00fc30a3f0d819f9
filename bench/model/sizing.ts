import { weights } from '../weights.js';
import { type Cost, type MeasuredCosts, stepsOf } from './costs.js';
import { type Model, type Place, simulate } from './simulate.js';

/** What an instance must do. */
export interface Demand {
  readonly people: number;
  readonly signInsPerSecond: number;
  /** Of 100 new users each. */
  readonly bulksPerMinute: number;
}

export const largest: Demand = { people: 100_000_000, signInsPerSecond: 10_000, bulksPerMinute: 1_000 };

/** The part of its time for which a process, a core or a server of a store is busy at the demand. */
const busyAtMost = { api: 0.6, hash: 0.7, worker: 0.6, engine: 0.6, redis: 0.5 };
/** What a machine has that the sizing assumes. */
const shard = { cores: 16, cacheGb: 48 };
/** Threads of an API process for hashes: `MUSTER_HASH_CONCURRENCY`. */
const hashThreads = 4;
/** A cluster of Redis has at least three masters. */
const fewestMasters = 3;

/** The processes and servers for a demand. */
export interface Sizing {
  readonly apiProcesses: number;
  /** The cores of all API processes together, for their event loops and their hashes. */
  readonly apiCores: number;
  readonly workers: number;
  readonly shards: number;
  readonly redisMasters: number;
  /** The keys of the indexes, which should fit into memory. */
  readonly keysGb: number;
  readonly documentsGb: number;
}

/** @param weights bytes of the documents and of the keys that a person needs */
export function sizingOf(
  { costs }: Pick<MeasuredCosts, 'costs'>,
  { people, signInsPerSecond, bulksPerMinute }: Demand,
  weights: { readonly document: number; readonly keys: number },
): Sizing {
  const bulksPerSecond = bulksPerMinute / 60;
  /** Seconds of processor time in a second. */
  const cores = (of: (cost: Cost) => number) =>
    (signInsPerSecond * of(costs['sign-in']) + bulksPerSecond * of(costs.bulk)) / 1_000;
  const loops = cores(({ api }) => api) / busyAtMost.api;
  const hashes = cores(({ hash }) => hash) / busyAtMost.hash;
  const keysGb = (people * weights.keys) / 1e9;
  const storeCores = cores(({ gateway, engine }) => gateway + engine) / busyAtMost.engine;
  return {
    apiProcesses: Math.ceil(Math.max(loops, hashes / hashThreads)),
    apiCores: Math.ceil(loops + hashes),
    workers: Math.max(2, Math.ceil(cores(({ worker }) => worker) / busyAtMost.worker)),
    shards: Math.ceil(Math.max(storeCores / shard.cores, keysGb / shard.cacheGb)),
    redisMasters: Math.max(fewestMasters, Math.ceil(cores(({ redis }) => redis) / busyAtMost.redis)),
    keysGb,
    documentsGb: (people * weights.document) / 1e9,
  };
}

/** The model of an instance of this size. Every process and store has cores of its own. */
export function modelOf(
  { costs }: Pick<MeasuredCosts, 'costs'>,
  demand: Demand,
  { apiProcesses, workers, shards, redisMasters }: Sizing,
): Model {
  const machines = {
    ...{ api: apiProcesses, hash: apiProcesses * hashThreads, worker: workers },
    ...{ database: shards * shard.cores, redis: redisMasters },
  };
  const on = (machine: keyof typeof machines): Place => ({ machine, servers: machines[machine] });
  const places = {
    ...{ api: on('api'), hash: on('hash'), worker: on('worker'), redis: on('redis') },
    ...{ gateway: on('database'), engine: on('database') },
  };
  const withoutClients = (cost: Cost) => stepsOf(cost).filter(({ place }) => place !== 'clients');
  const bulksPerSecond = demand.bulksPerMinute / 60;
  return {
    machines,
    places,
    operations: [
      { name: 'sign-in', weight: demand.signInsPerSecond, steps: withoutClients(costs['sign-in']) },
      { name: 'bulk', weight: bulksPerSecond, steps: withoutClients(costs.bulk) },
    ],
    arrivals: { perSecond: demand.signInsPerSecond + bulksPerSecond },
    seconds: 1,
  };
}

/** What an operator calls a machine of the model. */
const machineNames: Readonly<Record<string, string>> = {
  ...{
    api: 'event loops of the API',
    hash: 'hash pool',
    worker: 'workers',
    database: 'database',
    redis: 'Redis',
  },
};

/** The machines of the model by how busy they are in a simulation, the busiest first. The first one is the next bottleneck. */
function bottlenecks(model: Model): readonly (readonly [name: string, busy: number])[] {
  const { busy } = simulate(model);
  const ofMachine = (machine: string) =>
    Object.entries(model.places).reduce(
      (sum, [name, place]) => sum + (place.machine === machine ? (busy[name] ?? 0) : 0),
      0,
    );
  return Object.keys(model.machines)
    .map((machine) => [machineNames[machine] ?? machine, ofMachine(machine)] as const)
    .sort(([, a], [, b]) => b - a);
}

/** The head and the rows of the table in the guide for operators. */
export function sizingTable(
  measured: Pick<MeasuredCosts, 'costs'>,
  weights: { readonly document: number; readonly keys: number },
): string[][] {
  const demands: Demand[] = [
    { people: 100_000, signInsPerSecond: 10, bulksPerMinute: 10 },
    { people: 1_000_000, signInsPerSecond: 100, bulksPerMinute: 60 },
    { people: 10_000_000, signInsPerSecond: 1_000, bulksPerMinute: 300 },
    largest,
  ];
  const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
  return [
    [
      'people',
      'sign-ins/s',
      'Bulks/min',
      'API processes',
      'their cores',
      'workers',
      'shards of MongoDB',
      'masters of Redis',
      'documents, keys (GB)',
      'next bottleneck',
    ],
    ...demands.map((demand) => {
      const sizing = sizingOf(measured, demand, weights);
      const [[place, part] = ['', 0]] = bottlenecks(modelOf(measured, demand, sizing));
      return [
        ...[demand.people, demand.signInsPerSecond, demand.bulksPerMinute].map(number),
        ...[sizing.apiProcesses, sizing.apiCores, sizing.workers, sizing.shards, sizing.redisMasters].map(
          number,
        ),
        `${number(sizing.documentsGb)}, ${number(sizing.keysGb)}`,
        `${place}, ${Math.round(part * 100)} % busy`,
      ];
    }),
  ];
}

const heading = '### What a given load needs';

/** The text of the guide with the table below its heading, in place of the one that was there. */
export function withSizing(guide: string, table: readonly (readonly string[])[]): string {
  const at = guide.indexOf(`${heading}\n`);
  if (at < 0) throw new Error(`The guide has no heading "${heading}"`);
  const begin = guide.indexOf('\n| ', at) + 1;
  const end = guide.indexOf('\n\n', begin);
  return `${guide.slice(0, begin)}${plainTable(table)}${guide.slice(end)}`;
}

/** A table in Markdown as the guides have it. @param rows the head first */
function plainTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The bytes that a person needs: the user with its event and the membership of a group. */
export function peopleWeights(): { document: number; keys: number } {
  const all = weights().filter(({ collection }) => collection !== 'identifiers');
  return {
    document: all.reduce((sum, { document }) => sum + document, 0),
    keys: all.flatMap(({ keys }) => [...keys.values()]).reduce((sum, bytes) => sum + bytes, 0),
  };
}
