import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestNote } from '../base/request-note.js';
import { addressOf } from './caller-address.js';
import type { Lateness } from './lateness.js';

/**
 * Measures how long requests take, so that the workers give way while they are late. The time is that of the handler: a client that sends or
 * reads slowly makes no request late. Heavy work does not count: it takes as long as what it asks for, and a Bulk waits for a worker.
 */
export function reportLateness(app: FastifyInstance, { lateness }: { readonly lateness: Lateness }): void {
  const begun = requestNote<number>('handlerBegun');
  app.addHook('onRoute', (route) => {
    const { heavy, probe, streamed } = route.config ?? {};
    if (heavy !== undefined || probe === true || streamed === true) return;
    let took: ReturnType<Lateness['ofRoute']> | undefined;
    const { handler } = route;
    // A hook before the handler would cost more than this call.
    route.handler = function noteBegin(request, reply) {
      if (lateness.measures()) begun.set(request, performance.now());
      return handler.call(this, request, reply);
    };
    route.onSend = [
      (request, _reply, payload, done) => {
        const since = begun.get(request);
        if (since !== undefined) {
          took ??= lateness.ofRoute();
          took(since, holderOf(request));
        }
        done(null, payload);
      },
      ...listOf(route.onSend),
    ];
  });
}

/** Whose request it is: the organization of the path, or else the address. */
function holderOf(request: FastifyRequest): string {
  const { orgId } = (request.params ?? {}) as { readonly orgId?: string };
  return orgId ?? addressOf(request);
}

function listOf<T>(hooks: T | T[] | undefined): T[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}
