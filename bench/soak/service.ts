import { setTimeout as pause } from 'node:timers/promises';
import type { HttpAnswer, HttpOptions } from '../../dev/stage/http-client.js';
import type { Api, Running, Stage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { createErrorLines, type ErrorLines } from './error-lines.js';
import type { Tally } from './tally.js';

/** A request that is repeated until the response is as expected. */
interface Wish {
  /** The kind of request, for the tally. */
  readonly kind: string;
  /** `GET /path` */
  readonly line: string;
  readonly options?: HttpOptions;
  readonly expected: readonly number[];
}

/** An expected response. */
interface Granted extends HttpAnswer {
  /** No earlier try ended without a response, or with a response that leaves the result open. */
  readonly isFirstTry: boolean;
  /** No fault was active during the request. */
  readonly isCalm: boolean;
}

/** The processes under load, and the ways to call them. */
export interface Service {
  readonly stage: Stage;
  readonly tally: Tally;
  /** The first process of each kind is never killed, so that its memory can be measured. */
  readonly apis: Api[];
  readonly workers: Running[];
  startApi(settings?: Record<string, string>): Promise<void>;
  startWorker(settings?: Record<string, string>): Promise<void>;
  /**
   * Starts an additional API process and worker with these settings.
   * @returns a function that ends both as a rolling restart does. A process that does not end by itself counts as
   * wrong.
   */
  join(settings: Record<string, string>): Promise<() => Promise<void>>;
  /** The next API process in turn, as a load balancer chooses. */
  next(): Api;
  /** Repeats the request, after short pauses, until the response is as expected. */
  send(wish: Wish): Promise<Granted>;
  /** Begins to watch. The returned function says whether no fault was active since then. */
  watchCalm(): () => boolean;
  /** Waits until every API process is ready. */
  untilReady(): Promise<void>;
  /**
   * Injects a fault, and waits until everything has recovered. @returns milliseconds from the end of the fault to the
   * recovery
   */
  disturb(fault: () => Promise<void>): Promise<number>;
  readonly errorLines: ErrorLines;
  stop(): void;
  isStopped(): boolean;
}

/** The longest time for a response. A slower response counts as wrong, whatever its content. */
const answerMs = 120_000;
/** The longest time for the tries of one request. */
const giveUpMs = 300_000;
const wellWithinMs = 180_000;
/** The time after a fault, once all processes are ready, in which failures count as its effect. */
const settleMs = 5_000;

export async function startService(stage: Stage, tally: Tally): Promise<Service> {
  const apis: Api[] = [];
  const workers: Running[] = [];
  const errorLines = createErrorLines();
  let turn = 0;
  let disturbances = 0;
  let isStopped = false;

  const watchCalm = () => {
    const before = disturbances;
    // The number is odd while a fault is active.
    return () => before % 2 === 0 && before === disturbances;
  };

  const next = () => {
    turn++;
    const api = apis[turn % apis.length];
    if (api === undefined) throw new Error('No API process runs');
    return api;
  };

  const untilReady = async () => {
    await until(() => areReady(apis), { within: wellWithinMs, every: 100 });
  };

  const service: Service = {
    stage,
    tally,
    apis,
    workers,
    async startApi(settings) {
      const api = await stage.startApi(settings);
      errorLines.watch(api);
      apis.push(api);
    },
    async startWorker(settings) {
      const worker = await stage.startWorker(settings);
      errorLines.watch(worker);
      workers.push(worker);
    },
    async join(settings) {
      await service.startApi(settings);
      await service.startWorker(settings);
      return async () => {
        for (const running of [apis.pop(), workers.pop()]) {
          running?.signal('SIGTERM');
          const code = await running?.exitCode;
          if (code !== 0) tally.wrong('end of a process', `${code}`);
        }
      };
    },
    next,
    send: (wish) => send(service, wish),
    watchCalm,
    untilReady,
    async disturb(fault) {
      errorLines.read('unexplained');
      disturbances++;
      await fault();
      const repaired = performance.now();
      await untilReady();
      const ms = Math.round(performance.now() - repaired);
      await pause(settleMs);
      errorLines.read('of a fault');
      disturbances++;
      return ms;
    },
    errorLines,
    stop() {
      isStopped = true;
    },
    isStopped: () => isStopped,
  };
  for (let each = 0; each < 2; each++) {
    await service.startApi();
    await service.startWorker();
  }
  return service;
}

/** Sends until the response is as expected. */
async function send(service: Service, wish: Wish): Promise<Granted> {
  const { tally } = service;
  const end = performance.now() + giveUpMs;
  for (let isFirstTry = true; ; isFirstTry = false) {
    const answer = await attempt(service, wish);
    if (answer !== undefined) return { ...answer, isFirstTry };
    if (performance.now() > end) throw new Error(`${wish.line} is not done within ${giveUpMs} ms`);
    if (tally.wrongs.length > 100)
      throw new Error(`Too much is wrong to go on:\n${tally.wrongs.slice(0, 10).join('\n')}`);
    await pause(200);
  }
}

/** Sends once. Returns undefined if the response is not as expected, and counts that. */
async function attempt(
  { next, watchCalm, tally }: Service,
  { kind, line, options, expected }: Wish,
): Promise<Omit<Granted, 'isFirstTry'> | undefined> {
  const isCalm = watchCalm();
  try {
    const answer = await inTime(next().call(line, options));
    if (expected.includes(answer.status)) {
      tally.count(kind, 'right', isCalm());
      return { ...answer, isCalm: isCalm() };
    }
    if (answer.status === 503) tally.count(kind, 'unavailable', isCalm());
    else tally.wrong(kind, `${line} answers ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`);
  } catch (error) {
    if (error instanceof Unanswered) tally.wrong(kind, `${line} was not answered in ${answerMs} ms`);
    else tally.count(kind, 'broken', isCalm());
  }
  return undefined;
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
