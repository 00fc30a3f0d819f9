import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressOf } from './caller-address.js';
import type { Lateness } from './lateness.js';

/**
 * Measures how long requests take, so that the workers give way while they are late. The time is that of the handler: a client that sends or
 * reads slowly makes no request late. Heavy work does not count: it takes as long as what it asks for, and a Bulk waits for a worker.
 */
export function reportLateness(app: FastifyInstance, { lateness }: { readonly lateness: Lateness }): void {
  app.addHook('onRoute', (route) => {
    const { heavy, probe, streamed } = route.config ?? {};
    if (heavy !== undefined || probe === true || streamed === true) return;
    let took: ReturnType<Lateness['ofRoute']> | undefined;
    const { handler } = route;
    // A hook would be called for every request, and few are measured.
    route.handler = function noteBegin(request, reply) {
      if (!lateness.measures()) return handler.call(this, request, reply);
      const since = performance.now();
      const note = () => {
        took ??= lateness.ofRoute();
        took(since, holderOf(request));
      };
      const answer: unknown = handler.call(this, request, reply);
      if (answer instanceof Promise) answer.then(note, note);
      else note();
      return answer;
    };
  });
}

/** Whose request it is: the organization of the path, or else the address. */
function holderOf(request: FastifyRequest): string {
  const { orgId } = (request.params ?? {}) as { readonly orgId?: string };
  return orgId ?? addressOf(request);
}
