import type { EndedWork } from './cool-down.js';
import { createRoundRobinQueue, type RoundRobinQueue } from './round-robin-queue.js';

/** The limits of one lane: work of one kind. */
export interface LaneLimits {
  /** Work of the lane that runs at once. */
  readonly atOnce: number;
  /** Slots that the lane shares with other lanes. Work takes one of each. */
  readonly slots?: readonly Slots[];
  /** Work of the lane that may wait. */
  readonly waiting: number;
  /** Work of one holder that may wait in the lane. Absent: as much as of all. */
  readonly waitingOfHolder?: number;
  /**
   * Called when work has ended, with its time in milliseconds and the amount of work of the lane that waits. If it returns a promise,
   * the permit rests until that resolves. Other lanes may use the shared slots meanwhile.
   */
  readonly rest?: ((ended: EndedWork) => Promise<unknown> | undefined) | undefined;
  /** Called with the time that each work waited, in seconds. */
  readonly waited?: ((seconds: number) => void) | undefined;
  /** Makes the error for work that is refused. */
  readonly refuse: () => Error;
}

/** Slots that several lanes share. */
export interface Slots {
  readonly most: number;
  used: number;
}

/**
 * A fair queue: limits how much work runs and waits at once. The lanes take turns for the slots that they share, and so do the holders
 * within each lane. No lane and no holder, such as an organization, can keep the others from the slots.
 */
interface FairLanes<Name extends string> {
  /**
   * Runs the work when it is its turn. If a permit is free, the work begins before this returns.
   * @throws the error of `refuse` when too much work waits
   */
  run<T>(lane: Name, holder: string, work: () => Promise<T>): Promise<T>;
  /** The amount of work of a holder that waits in a lane. */
  waiting(lane: Name, holder: string): number;
  /** Running and waiting work of these lanes. */
  load(lanes: readonly Name[]): { running: number; waiting: number };
}

interface Lane {
  readonly limits: LaneLimits;
  readonly slots: readonly Slots[];
  readonly turns: RoundRobinQueue;
  running: number;
  resting: number;
  /** Counts up with each work that begins in any lane. The lane with the least has waited longest for its turn. */
  latest: number;
}

export function createSlots(most: number): Slots {
  return { most, used: 0 };
}

export function createFairLanes<Name extends string>(
  all: Readonly<Record<Name, LaneLimits>>,
): FairLanes<Name> {
  const lanes = {} as Record<Name, Lane>;
  for (const name of Object.keys(all) as Name[]) lanes[name] = openLane(all[name]);
  const list = Object.values<Lane>(lanes);
  let begun = 0;

  function begin(lane: Lane): void {
    lane.running++;
    lane.latest = ++begun;
    for (const slots of lane.slots) slots.used++;
  }

  function end(lane: Lane, tookMs: number): void {
    lane.running--;
    for (const slots of lane.slots) slots.used--;
    const rest = lane.limits.rest?.({ tookMs, waiting: lane.turns.size() });
    if (rest !== undefined) {
      lane.resting++;
      rest.then(() => {
        lane.resting--;
        beginNext();
      });
    }
    beginNext();
  }

  function beginNext(): void {
    for (;;) {
      let chosen: Lane | undefined;
      for (const lane of list) {
        const isBefore = chosen === undefined || lane.latest < chosen.latest;
        if (isBefore && lane.turns.size() > 0 && mayBegin(lane)) chosen = lane;
      }
      if (chosen === undefined) return;
      begin(chosen);
      chosen.turns.next()?.start();
    }
  }

  /** Runs work that has a permit, and gives the permit back. */
  function hold<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const ended = () => end(lane, performance.now() - began);
    try {
      const running = work();
      running.then(ended, ended);
      return running;
    } catch (error) {
      ended();
      return Promise.reject(error);
    }
  }

  function turn({ turns, limits }: Lane, holder: string): Promise<void> {
    return new Promise((start, reject) => {
      turns.add(holder, { start, refuse: () => reject(limits.refuse()) });
    });
  }

  return {
    run(name, holder, work) {
      const lane = lanes[name];
      const { waited } = lane.limits;
      if (mayBegin(lane)) {
        begin(lane);
        waited?.(0);
        return hold(lane, work);
      }
      const asked = performance.now();
      return turn(lane, holder).then(() => {
        waited?.((performance.now() - asked) / 1000);
        return hold(lane, work);
      });
    },
    waiting: (name, holder) => lanes[name].turns.size(holder),
    load(names) {
      let [running, waiting] = [0, 0];
      for (const name of names) {
        running += lanes[name].running;
        waiting += lanes[name].turns.size();
      }
      return { running, waiting };
    },
  };
}

function openLane(limits: LaneLimits): Lane {
  const { waiting, waitingOfHolder = waiting, slots = [] } = limits;
  const turns = createRoundRobinQueue({ all: waiting, holder: waitingOfHolder });
  return { limits, slots, turns, running: 0, resting: 0, latest: 0 };
}

/** If work of the lane waits, this is false: {@link createFairLanes} lets it begin as soon as this is true. */
function mayBegin({ limits, slots, running, resting }: Lane): boolean {
  return running + resting < limits.atOnce && slots.every(({ most, used }) => used < most);
}
