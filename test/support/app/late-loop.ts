import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { until } from '../../../dev/until.js';

/** A value for `shedDelayMilliseconds` that the delay of {@link makeLoopLate} exceeds. */
export const lateMs = 5;
const blockedMs = 20;

/**
 * Keeps the event loop of this process late until the end of the test, or until the returned function is called. When
 * this resolves, the application has refused one sign-in for that reason.
 */
export async function makeLoopLate(
  t: Pick<Test, 'teardown'>,
  app: Pick<FastifyInstance, 'inject'>,
): Promise<() => void> {
  const timer = setInterval(() => {
    const end = performance.now() + blockedMs;
    while (performance.now() < end);
  }, 1);
  const relieve = () => clearInterval(timer);
  t.teardown(relieve);
  await until(async () => (await app.inject({ method: 'POST', url: '/login' })).statusCode === 503);
  return relieve;
}
