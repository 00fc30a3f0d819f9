import type { FastifyInstance } from 'fastify';
import type { Lateness } from './lateness.js';

/**
 * Measures how long requests take, so that the workers give way while they are late. Heavy work does not count: it takes as long as what
 * it asks for, and a Bulk waits for a worker.
 */
export function reportLateness(app: FastifyInstance, { lateness }: { readonly lateness: Lateness }): void {
  app.addHook('onRoute', (route) => {
    const { heavy, probe, streamed } = route.config ?? {};
    if (heavy !== undefined || probe === true || streamed === true) return;
    let took: ReturnType<Lateness['ofRoute']> | undefined;
    const before = route.onResponse ?? [];
    route.onResponse = [
      ...(Array.isArray(before) ? before : [before]),
      (_request, reply, done) => {
        took ??= lateness.ofRoute();
        took(reply.elapsedTime);
        done();
      },
    ];
  });
}
