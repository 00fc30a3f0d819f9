import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../dev/repository.js';
import type { Operation, Step } from './simulate.js';

/** Who spends processor time on an operation. `hash`: the threads of the API process that hash passwords. `clients`: who asks. */
export const spenders = ['clients', 'api', 'hash', 'worker', 'gateway', 'engine', 'redis'] as const;
export type Spender = (typeof spenders)[number];

/** Milliseconds of processor time of one operation. */
export type Cost = Readonly<Record<Spender, number>>;

/** What is measured, and the simulation has. The weights are those of the mix that both of them run. */
export const mix = { 'sign-in': 10, token: 40, get: 40, create: 20, bulk: 2 } as const;
export type MeasuredOperation = keyof typeof mix;
export const operationNames = Object.keys(mix) as MeasuredOperation[];

/** The figures of a run of `bench/model.ts`. */
export interface MeasuredCosts {
  readonly ended: string;
  readonly engine: string;
  readonly cores: number;
  readonly costs: Readonly<Record<MeasuredOperation, Cost>>;
  /** How many of each operation were under way while its cost was measured: as many as the mix has of it on average. */
  readonly underWay: Readonly<Record<MeasuredOperation, number>>;
  /** Operations of the mix in a second of all cores: the median of the runs, and what the simulation says. */
  readonly measured: number;
  /** The same in a second of the clock. It is less where other programs use the cores, or where these wait. */
  readonly byClock: number;
  readonly simulated: number;
}

const path = join(repository, 'bench/model/costs.json');

export function readCosts(): MeasuredCosts {
  return JSON.parse(readFileSync(path, 'utf8')) as MeasuredCosts;
}

export function writeCosts(costs: MeasuredCosts): void {
  writeFileSync(path, `${JSON.stringify(costs, undefined, 2)}\n`);
}

/** The steps of an operation, in the order in which a request passes them. What costs nothing is left out. */
export function stepsOf(cost: Cost): Step[] {
  return spenders.flatMap((place) => (cost[place] > 0 ? [{ place, ms: cost[place] }] : []));
}

/** The mix, with these costs. */
export function mixOf(costs: MeasuredCosts['costs']): Operation[] {
  return operationNames.map((name) => ({ name, weight: mix[name], steps: stepsOf(costs[name]) }));
}
