import autocannon from 'autocannon';

/** One request as the load generator sends it. */
export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/**
 * A target and what to send to it: the same shot again and again, several in turn, or a new one for every request.
 * Shots that are there before it begins cost the generator little; a new one for every request costs it about as much
 * as the answer costs a quick server, which then waits for the generator.
 */
export interface Load {
  readonly url: string;
  readonly next: Shot | readonly Shot[] | (() => Shot);
  readonly connections: number;
  /** Makes ready what the requests of so many seconds use up; this is not measured. */
  readonly prepare?: (seconds: number) => Promise<void>;
  /** Sees every answer. */
  readonly answered?: (body: string, headers: Record<string, unknown>) => void;
  /** The status that every answer must have; absent: any of 2xx. */
  readonly status?: number;
}

export interface Measured {
  /** Successful requests per second. */
  readonly rate: number;
  /** Of every answer, in milliseconds. */
  readonly latencies: readonly number[];
}

/** Sends requests for some seconds. @throws when any answer is an error: a measure of errors measures nothing */
export async function fire(load: Load, seconds: number): Promise<Measured> {
  const { next, answered } = load;
  await load.prepare?.(seconds);
  const onResponse = answered && {
    onResponse: (_status: number, body: string, _context: object, headers: object = {}) =>
      answered(body, { ...headers }),
  };
  const latencies: number[] = [];
  const wrong = new Map<number, number>();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: load.url,
        connections: load.connections,
        duration: seconds,
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
  if (result.errors > 0 || wrong.size > 0) {
    const [first] = typeof next === 'function' ? [next()] : [next].flat();
    throw new Error(
      `${load.url}${first?.path}: ${result.errors} errors, statuses ${JSON.stringify([...wrong])}`,
    );
  }
  return { rate: latencies.length / result.duration, latencies };
}

/** The smallest value that at least this part of the values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
