import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpAnswer, HttpOptions } from '../../test/support/http-client.js';
import { type Api, type Running, type Stage, until } from '../../test/support/processes.js';
import type { Tally } from './tally.js';

/** A request that is tried until it is answered as expected. */
export interface Wish {
  /** Name of the kind of request, for the tally. */
  readonly kind: string;
  /** `GET /path` */
  readonly line: string;
  readonly options?: HttpOptions;
  readonly expected: readonly number[];
}

/** The processes under load, and how clients reach them. */
export interface Service {
  readonly stage: Stage;
  readonly tally: Tally;
  /** The first of each kind is never killed, so that its memory can be followed. */
  readonly apis: Api[];
  readonly workers: Running[];
  /** One process in turn, as a load balancer chooses. */
  next(): Api;
  /** Sends once; undefined when it was not answered as expected, which is counted. */
  attempt(wish: Wish): Promise<HttpAnswer | undefined>;
  /** Sends again and again, after short pauses, until it is answered as expected. */
  send(wish: Wish): Promise<HttpAnswer>;
  /** Rises whenever something is broken; equal numbers mean that nothing was in between. */
  disturbances(): number;
  /** Breaks something, and waits until everything is well again. @returns milliseconds from its end until then */
  disturb(fault: () => Promise<void>): Promise<number>;
  /** Resident memory of the processes that are never killed, in MiB. */
  memory(): Promise<{ api: number; worker: number }>;
  /** Lines of level error, of all processes that ran. */
  errors(): string[];
  stop(): void;
  isStopped(): boolean;
}

/** Longest time until an answer; what takes longer is wrong, whatever it is. */
const answerMs = 120_000;
const wellWithinMs = 180_000;

export async function startService(stage: Stage, tally: Tally): Promise<Service> {
  const apis = [await stage.startApi(), await stage.startApi()];
  const workers = [await stage.startWorker(), await stage.startWorker()];
  const all = new Set<Running>();
  let turn = 0;
  let disturbances = 0;
  let isDisturbed = false;
  let isStopped = false;

  const next = () => {
    turn++;
    const api = apis[turn % apis.length];
    if (api === undefined) throw new Error('No API process runs');
    return api;
  };

  const attempt = async ({ kind, line, options, expected }: Wish) => {
    const before = disturbances;
    const wasDisturbed = isDisturbed;
    const isCalm = () => !wasDisturbed && before === disturbances;
    try {
      const answer = await inTime(next().call(line, options));
      if (expected.includes(answer.status)) {
        tally.count(kind, 'right', isCalm());
        return answer;
      }
      if (answer.status === 503) tally.count(kind, 'unavailable', isCalm());
      else
        tally.wrong(kind, `${line} answers ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`);
    } catch (error) {
      if (error instanceof Unanswered) tally.wrong(kind, `${line} was not answered in ${answerMs} ms`);
      else tally.count(kind, 'broken', isCalm());
    }
    return undefined;
  };

  return {
    stage,
    tally,
    apis,
    workers,
    next,
    attempt,
    async send(wish) {
      for (;;) {
        const answer = await attempt(wish);
        if (answer !== undefined) return answer;
        if (tally.wrongs.length > 100)
          throw new Error(`Too much is wrong to go on:\n${tally.wrongs.slice(0, 10).join('\n')}`);
        await pause(200);
      }
    },
    disturbances: () => disturbances,
    async disturb(fault) {
      disturbances++;
      isDisturbed = true;
      for (const running of [...apis, ...workers]) all.add(running);
      await fault();
      const repaired = performance.now();
      await until(() => areReady(apis), { within: wellWithinMs, every: 100 });
      isDisturbed = false;
      disturbances++;
      return Math.round(performance.now() - repaired);
    },
    async memory() {
      return { api: await residentMib(apis[0]), worker: await residentMib(workers[0]) };
    },
    errors() {
      for (const running of [...apis, ...workers]) all.add(running);
      return [...all].flatMap((running) =>
        running
          .log()
          .split('\n')
          .filter((line) => /"level":[56]0/.test(line)),
      );
    },
    stop() {
      isStopped = true;
    },
    isStopped: () => isStopped,
  };
}

class Unanswered extends Error {}

function inTime<T>(answer: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const limit = pause(answerMs, undefined, { signal: stop.signal }).then(() => {
    throw new Unanswered();
  });
  limit.catch(() => undefined);
  return Promise.race([answer, limit]).finally(() => stop.abort());
}

async function areReady(apis: readonly Api[]): Promise<boolean> {
  const answers = await Promise.all(apis.map((api) => api.call('GET /readyz').catch(() => undefined)));
  return answers.every((answer) => answer?.status === 200);
}

async function residentMib(running: Running | undefined): Promise<number> {
  const status = await readFile(`/proc/${running?.pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}
