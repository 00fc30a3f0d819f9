import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { RouteFacts } from '../base/route-facts.js';

/** A route that the document describes. */
export interface DescribedRoute {
  readonly method: string;
  /** For example `/admin/v1/orgs/{orgId}`. */
  readonly path: string;
  readonly schema: FastifySchema;
  readonly facts: RouteFacts;
}

/**
 * Collects the routes that are added from now on. Call it before the routes are added.
 * @returns a function that returns the collected routes, except those with `hide` and those for HEAD, which every GET has
 */
export function collectRoutes(app: FastifyInstance): () => DescribedRoute[] {
  const added: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    added.push(route);
  });
  // Hooks of inner scopes may change the schema and the facts of a route after the hook above.
  return () =>
    added.flatMap(({ method, url, schema = {}, config = {} }) =>
      [method]
        .flat()
        .filter((one) => one !== 'HEAD' && !schema.hide)
        .map((one) => ({ method: one, path: pathOf(url), schema, facts: config })),
    );
}

/** `/Users/:id` becomes `/Users/{id}`. */
function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}
