import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';
import type { HeavyWork } from '../base/route-facts.js';

/** The least interval between two samples of the delay of the event loop. */
const leastSampleMs = 500;

/** The kinds of heavy work in words. */
const names: Readonly<Record<HeavyWork, string>> = {
  list: 'lists and searches',
  bulk: 'Bulk requests',
  migration: 'imports and exports',
  'sign-in': 'sign-ins',
};

/**
 * While the event loop is late, answers requests for heavy work ({@link HeavyWork}) with 503 and Retry-After.
 * All other requests are served: probes, for example, and the token endpoint, on which live sessions depend.
 * A limit of 0 turns this off.
 */
export async function shedLoad(
  app: FastifyInstance,
  {
    config,
    measures,
  }: {
    config: Pick<Config, 'shedDelayMilliseconds'>;
    measures?: { workShed(kind: HeavyWork): void } | undefined;
  },
): Promise<void> {
  const limit = config.shedDelayMilliseconds;
  if (limit === 0) return;
  // The plugin takes a loop that stood still from one sample to the next for late. An interval below the
  // limit would therefore lower the limit.
  const sampleInterval = Math.max(leastSampleMs, limit);
  let started = Number.POSITIVE_INFINITY;
  app.addHook('onReady', async () => {
    started = performance.now();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: limit,
    sampleInterval,
    pressureHandler({ routeOptions: { config } }) {
      // Until a whole interval after the start, the start itself made the loop late.
      if (config.heavy === undefined || performance.now() - started < 2 * sampleInterval) return;
      measures?.workShed(config.heavy);
      const detail = `This process has more work than it can do, and refuses ${names[config.heavy]}; try again shortly`;
      throw new AppError(httpErrors.overloaded, { detail, retryAfterSeconds: 2 });
    },
  });
}
