import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { RouteFacts } from '#src/http/base/route-facts.js';

/** A route such as `GET /healthz`, with the facts in its `config`. */
export type DescribedRoute = { readonly route: string } & RouteFacts;

/** Records the routes of the applications that `build` makes, in the order in which they are added. */
export async function recordRoutes(build: () => Promise<unknown>): Promise<DescribedRoute[]> {
  const added: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    // Other hooks may add facts to a route until the application is built.
    fastify.addHook('onRoute', (route) => {
      added.push(route);
    });
  };
  subscribe('fastify.initialization', watch);
  try {
    await build();
  } finally {
    unsubscribe('fastify.initialization', watch);
  }
  return added.flatMap(({ method, url, config }) =>
    [method].flat().map((one) => ({ ...config, route: `${one} ${url}` })),
  );
}
