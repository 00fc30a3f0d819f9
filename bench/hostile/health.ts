import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What the probes of the processes saw. */
export interface Health {
  /** The longest time until a process said that it is healthy, in milliseconds. */
  readonly slowestMs: number;
  /** The probes that got no such response. */
  readonly failed: number;
}

const everyMs = 100;
/** A probe that takes longer has failed. */
const limitMs = 10_000;
/** The probes have an address of their own. */
const address = '127.0.2.1';

/** Probes each process all the time, each time over a new connection, as Kubernetes does. @returns ends this */
export function watchHealth(urls: readonly string[]): () => Promise<Health> {
  const ended = new AbortController();
  let slowestMs = 0;
  let failed = 0;
  const watching = urls.map(async (url) => {
    while (!ended.signal.aborted) {
      const started = performance.now();
      if (await isHealthy(url)) slowestMs = Math.max(slowestMs, performance.now() - started);
      else failed++;
      await pause(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  });
  return async () => {
    ended.abort();
    await Promise.all(watching);
    return { slowestMs, failed };
  };
}

function isHealthy(url: string): Promise<boolean> {
  return new Promise((done) => {
    const signal = AbortSignal.timeout(limitMs);
    const probe = request(`${url}/healthz`, { agent: false, localAddress: address, signal }, (response) => {
      response.once('error', () => done(false));
      response.once('end', () => done(response.statusCode === 200));
      response.resume();
    });
    probe.once('error', () => done(false));
    probe.end();
  });
}
