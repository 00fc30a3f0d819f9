import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from '#src/platform/tracing.js';
import { requestNote } from './base/request-note.js';

interface ObserveRequestsDeps {
  readonly measures?:
    | { requestAnswered(answered: { method: string; route: string; status: number; seconds: number }): void }
    | undefined;
  readonly tracing?: Tracing | undefined;
}

/**
 * Measures every request by the pattern of its route, and opens a span for it. The span is a child of the
 * caller's if the request has a `traceparent` (W3C Trace Context). Neither carries a value that the caller
 * chose.
 */
export function observeRequests(app: FastifyInstance, { measures, tracing }: ObserveRequestsDeps): void {
  if (measures !== undefined) {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, route } = routeOf(request);
      measures.requestAnswered({
        method,
        route,
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
      });
      done();
    });
  }
  if (tracing === undefined) return;
  const spans = requestNote<OpenSpan>('spans');
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.probe) return done();
    const { method, route } = routeOf(request);
    const { traceparent } = request.headers;
    const span = tracing.open(`${method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    spans.set(request, span);
    span.run(done);
  });
  // The hooks after the reading of the body may run outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const attributes = { 'http.response.status_code': statusCode };
    spans.get(request)?.end({ failed: statusCode >= 500, attributes });
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.end({ failed: true });
    done();
  });
}

/** All requests without a route count as one route. */
function routeOf(request: FastifyRequest): { method: string; route: string } {
  const { url } = request.routeOptions;
  return url === undefined ? { method: 'other', route: 'none' } : { method: request.method, route: url };
}
