import autocannon from 'autocannon';

/** One request as the load generator sends it. */
export interface Shot {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/**
 * A target and its requests: one shot that is repeated, several in turn, or a new one per request. Prepared shots cost
 * the load generator little. A new shot per request costs the generator about as much as the response costs a fast
 * server, so that the server waits for the generator.
 */
export interface Load {
  readonly url: string;
  readonly next: Shot | readonly Shot[] | (() => Shot);
  readonly connections: number;
  /** Prepares the objects that the requests of this many seconds use up. This is not measured. */
  readonly prepare?: (seconds: number) => Promise<void>;
  /** Begins other work while the requests are sent. @returns ends it */
  readonly meanwhile?: () => () => Promise<void>;
  /** Called with every response. */
  readonly answered?: (body: string, headers: Record<string, unknown>) => void;
  /** The required status of every response. If absent, any 2xx. */
  readonly status?: number;
}

/** A request that takes longer is an error. On a busy machine, an import of 1,000 users may take more than ten seconds. */
const longestSeconds = 60;

export interface Measured {
  /** Successful requests per second. */
  readonly rate: number;
  /** The latency of every response, in milliseconds. */
  readonly latencies: readonly number[];
}

/**
 * Sends requests for some seconds. @throws Error if any response is an error, because a measure of errors measures
 * nothing
 */
export async function fire(load: Load, seconds: number): Promise<Measured> {
  const { next, answered } = load;
  await load.prepare?.(seconds);
  // What is thrown within the load generator would end this process, with all rows that were measured before.
  const failures: unknown[] = [];
  const onResponse = answered && {
    onResponse(_status: number, body: string, _context: object, headers: object = {}) {
      try {
        answered(body, { ...headers });
      } catch (error) {
        failures.push(error);
      }
    },
  };
  const end = load.meanwhile?.();
  const latencies: number[] = [];
  const wrong = new Map<number, number>();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: load.url,
        connections: load.connections,
        duration: seconds,
        timeout: longestSeconds,
        requests:
          typeof next === 'function'
            ? [{ setupRequest: (request) => ({ ...request, ...next() }), ...onResponse }]
            : [next].flat().map((shot) => ({ ...shot, ...onResponse })),
      },
      (error, value) => (error ? reject(error) : resolve(value)),
    );
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      latencies.push(milliseconds);
      if (load.status === undefined ? status >= 300 : status !== load.status)
        wrong.set(status, (wrong.get(status) ?? 0) + 1);
    });
  });
  await end?.();
  if (failures.length > 0) throw failures[0];
  if (result.errors > 0 || wrong.size > 0) {
    const [first] = typeof next === 'function' ? [next()] : [next].flat();
    throw new Error(
      `${load.url}${first?.path}: ${result.errors} errors, statuses ${JSON.stringify([...wrong])}`,
    );
  }
  return { rate: latencies.length / result.duration, latencies };
}

/** The smallest value such that at least this fraction of the values is not larger. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
}
