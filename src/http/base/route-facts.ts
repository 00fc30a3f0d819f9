import type { FastifyInstance } from 'fastify';
import type { LongList } from '#src/platform/json/parse-long-list.js';
import type { ErrorForm } from './error-form.js';

/** A kind of work that costs so much that a process under load refuses it. */
export type HeavyWork = 'list' | 'bulk' | 'migration' | 'sign-in';

/** A form of the console, and what becomes of it if its person must sign in before it counts. */
export interface ConsoleForm {
  /** The path of the page that shows the form. Its parameters are among those of the form's own path. */
  readonly shownAt: string;
  /** The query of this page. Maps the name of each parameter to the hidden field of the form that has its value. */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * The fields that still have what was typed when the person is back at the page. `nothing` is for a form that has only a secret, that
   * cannot be undone, or that is one button. No form returns a secret.
   */
  readonly returns: 'everything' | 'nothing' | { readonly allBut: readonly string[] };
}

/** What the hooks of all routes must know of a route. A room states it in the `config` of its routes. */
export interface RouteFacts {
  /**
   * The route does work of this kind, which a client can ask for again later. A process whose event loop is late
   * answers it with 503.
   */
  readonly heavy?: HeavyWork;
  /** The route shows pages to people. A program that is refused at the same address does not close it to them. */
  readonly page?: true;
  /** Probes ask every few seconds. They are neither limited nor traced. */
  readonly probe?: true;
  /** Clients ask every few seconds. The provisioning log has no entry of their successes. */
  readonly polled?: true;
  /** The route only says that its methods are not allowed, or not implemented. */
  readonly refusing?: true;
  /**
   * The response may be compressed. It must have no secret, because its length would tell about the secret what a caller
   * guesses beside it (BREACH, CVE-2013-3587).
   */
  readonly compressible?: true;
  /** A list in the JSON body that may be very long. The `bodyLimit` of the route applies to it, that of the scope to the rest. */
  readonly longList?: LongList;
  /** The route of the administration API also takes tokens that permit SCIM and nothing else. It must itself limit what they see. */
  readonly servesScim?: true;
  /** The route is a page or a form of the console: for people whose roles reach the instance, an organization, or for all of them. */
  readonly console?: 'instance' | 'organization' | 'anyone';
  /** The form of the console that the route takes. */
  readonly form?: ConsoleForm;
  /** The route reads its body while it arrives, of any size. Only a client that stands still is cut off. */
  readonly streamed?: true;
  /** How the document of the API describes the errors of the route. Absent for problem details. */
  readonly errorForm?: ErrorForm;
  /** The route works without MongoDB and Redis. */
  readonly needsNoStore?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteFacts {}
}

/** States facts about every route of the scope, beside those of its own. Call it before the routes are added. */
export function describeRoutes(scope: FastifyInstance, facts: RouteFacts): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...facts, ...route.config };
  });
}
