import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { until } from '../../../dev/until.js';

/**
 * A value for `shedDelayMilliseconds` that the delay of {@link makeLoopLate} exceeds, and that of a process on a busy
 * machine does not.
 */
export const lateMs = 25;
const blockedMs = 60;

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
