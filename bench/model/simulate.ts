/** Where the steps of operations run: a process, the threads for hashes, a store. */
export interface Place {
  /** The machine whose cores it shares with others. */
  readonly machine: string;
  /** The most steps at once: the number of processes of one thread each, or of threads. */
  readonly servers: number;
}

/** A step of an operation: so much processor time at a place. */
export interface Step {
  readonly place: string;
  readonly ms: number;
}

export interface Operation {
  readonly name: string;
  /** How many of all operations are of this kind. Only the ratio of the weights counts. */
  readonly weight: number;
  readonly steps: readonly Step[];
}

export interface Model {
  /** The cores of each machine. */
  readonly machines: Readonly<Record<string, number>>;
  readonly places: Readonly<Record<string, Place>>;
  readonly operations: readonly Operation[];
  /** `clients`: each begins its next operation when the last one ends. `perSecond`: operations begin at random times, whatever waits. */
  readonly arrivals: { readonly clients: number } | { readonly perSecond: number };
  readonly seconds: number;
}

export interface Simulated {
  /** The operations that ended in a second. */
  readonly perSecond: number;
  /** The part of the time for which the servers of each place, or the cores of its machine if they are fewer, were busy. */
  readonly busy: Readonly<Record<string, number>>;
  /** The time from the beginning to the end of an operation that 95 of 100 did not exceed, in milliseconds. */
  readonly p95: number;
}

/** An operation that has begun. */
interface Running {
  readonly steps: readonly Step[];
  readonly begun: number;
  next: number;
}

interface Queue extends Place {
  readonly name: string;
  readonly waiting: { readonly operation: Running; readonly since: number }[];
  /** The first of `waiting` that still waits. */
  first: number;
  running: number;
  busyMs: number;
}

/**
 * A simulation of queues with discrete events. A step waits until its place has a free server and its machine a free core. Of the steps that
 * wait for a core, the one that waits longest is next. Steps are not interrupted. The same model gives the same result.
 */
export function simulate(model: Model): Simulated {
  return new Simulation(model).run();
}

class Simulation {
  readonly #model: Model;
  readonly #queues: ReadonlyMap<string, Queue>;
  readonly #ofMachine: ReadonlyMap<string, Queue[]>;
  readonly #free: Map<string, number>;
  readonly #events = new EventQueue();
  readonly #random = randomNumbers();
  readonly #times: number[] = [];
  #now = 0;

  constructor(model: Model) {
    this.#model = model;
    const queues = Object.entries(model.places).map(([name, place]): Queue => {
      return { ...place, name, waiting: [], first: 0, running: 0, busyMs: 0 };
    });
    this.#queues = new Map(queues.map((queue) => [queue.name, queue]));
    this.#free = new Map(Object.entries(model.machines));
    const machines = Object.keys(model.machines);
    this.#ofMachine = new Map(
      machines.map((name) => [name, queues.filter(({ machine }) => machine === name)]),
    );
  }

  run(): Simulated {
    const { arrivals, seconds } = this.#model;
    if ('clients' in arrivals) for (let n = 0; n < arrivals.clients; n++) this.#begin();
    else this.#arrive(arrivals.perSecond);
    const end = seconds * 1_000;
    for (
      let event = this.#events.take();
      event !== undefined && event.at <= end;
      event = this.#events.take()
    ) {
      this.#now = event.at;
      event.happen();
    }
    const sorted = this.#times.sort((a, b) => a - b);
    return {
      perSecond: sorted.length / seconds,
      busy: Object.fromEntries(
        [...this.#queues.values()].map(({ name, busyMs, servers, machine }) => [
          name,
          busyMs / end / Math.min(servers, this.#model.machines[machine] ?? servers),
        ]),
      ),
      p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
    };
  }

  /** Operations arrive as a Poisson process. */
  #arrive(perSecond: number): void {
    const wait = (-Math.log(1 - this.#random()) * 1_000) / perSecond;
    this.#events.add(this.#now + wait, () => {
      this.#begin();
      this.#arrive(perSecond);
    });
  }

  #begin(): void {
    this.#advance({ steps: this.#chosen().steps, begun: this.#now, next: 0 });
  }

  #chosen(): Operation {
    const { operations } = this.#model;
    let left = this.#random() * operations.reduce((sum, { weight }) => sum + weight, 0);
    for (const operation of operations) {
      left -= operation.weight;
      if (left < 0) return operation;
    }
    return operations.at(-1) as Operation;
  }

  /** The next step of an operation waits, or the operation has ended. */
  #advance(operation: Running): void {
    const step = operation.steps[operation.next];
    if (step === undefined) {
      this.#times.push(this.#now - operation.begun);
      if ('clients' in this.#model.arrivals) this.#begin();
      return;
    }
    const queue = this.#queues.get(step.place);
    if (queue === undefined) throw new Error(`The model has no place ${step.place}`);
    queue.waiting.push({ operation, since: this.#now });
    this.#start(queue.machine);
  }

  /** Starts what a machine has room for. */
  #start(machine: string): void {
    for (;;) {
      const queues = (this.#ofMachine.get(machine) ?? []).filter(
        ({ waiting, first, running, servers }) => first < waiting.length && running < servers,
      );
      const free = this.#free.get(machine) ?? 0;
      const sinceOf = ({ waiting, first }: Queue) => waiting[first]?.since ?? 0;
      const [queue] = queues.sort((a, b) => sinceOf(a) - sinceOf(b));
      if (free === 0 || queue === undefined) return;
      this.#free.set(machine, free - 1);
      this.#serve(queue);
    }
  }

  #serve(queue: Queue): void {
    const next = queue.waiting[queue.first];
    queue.first += 1;
    // Memory for what has left the queue is given back at times.
    if (queue.first > 1_000 && queue.first * 2 > queue.waiting.length) {
      queue.waiting.splice(0, queue.first);
      queue.first = 0;
    }
    if (next === undefined) return;
    const { operation } = next;
    const ms = operation.steps[operation.next]?.ms ?? 0;
    queue.running += 1;
    queue.busyMs += ms;
    this.#events.add(this.#now + ms, () => {
      queue.running -= 1;
      this.#free.set(queue.machine, (this.#free.get(queue.machine) ?? 0) + 1);
      operation.next += 1;
      this.#advance(operation);
      this.#start(queue.machine);
    });
  }
}

interface Event {
  readonly at: number;
  readonly happen: () => void;
}

/** A binary heap: the earliest event comes first. */
class EventQueue {
  readonly #heap: Event[] = [];

  add(at: number, happen: () => void): void {
    const heap = this.#heap;
    heap.push({ at, happen });
    for (let place = heap.length - 1; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (this.#at(parent) <= this.#at(place)) break;
      this.#swap(parent, place);
      place = parent;
    }
  }

  take(): Event | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length > 0 && last !== undefined) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const smaller = this.#at(right) < this.#at(left) ? right : left;
      if (this.#at(smaller) >= this.#at(place)) return;
      this.#swap(smaller, place);
      place = smaller;
    }
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    [heap[one], heap[other]] = [heap[other] as Event, heap[one] as Event];
  }
}

/** Numbers from 0 to 1, always the same (Mulberry32). */
function randomNumbers(): () => number {
  let state = 0x2545f491;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
