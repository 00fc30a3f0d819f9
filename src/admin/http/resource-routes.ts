import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Editor } from '#src/audit/event.js';
import { editorOf } from './caller.js';
import type { Hook } from './describe-callers.js';
import {
  answerKeyedPage,
  countedPageOf,
  type FindPage,
  includeTotal,
  located,
  noContent,
  pageOf,
  pageQuery,
  problems,
  security,
  withTotal,
} from './schemas.js';

/** The scope of a plugin, to which routes are added. */
export type RouteScope = Parameters<FastifyPluginAsyncTypebox>[0];

/** The identifiers in the path, and the caller as the editor of a change. */
type Target<P extends TSchema> = Static<P> & { readonly editor: Editor };

/** What all routes say of themselves. */
interface Operation {
  /** Who may call it. */
  readonly onRequest: Hook | Hook[];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
}

/** Where the routes of one kind are. `params` is the schema of the identifiers in the path. */
interface Endpoint<P extends TSchema> {
  readonly path: string;
  readonly params?: P;
}

/** What responses have of an object. */
interface Shown<S extends TSchema, T> {
  readonly tags: string[];
  readonly shown: S;
  readonly toResponse: (found: T) => Static<S>;
}

interface ListOf<P extends TSchema, T, Q extends TObject> extends Operation {
  /** The optional parameters of the query that narrow the list. */
  readonly narrowed?: Q;
  readonly page: (
    target: Target<P>,
    page: { after?: string; limit: number },
    narrowed: Static<Q>,
  ) => ReturnType<FindPage<T>>;
  /** The key by which the list is in order. */
  readonly keyOf: (item: T) => string;
  /** How many objects the list has. A list that can count does so for requests that want it. */
  readonly count?: (target: Target<P>, narrowed: Static<Q>) => Promise<number>;
}

interface WholeListOf<P extends TSchema, T> extends Operation {
  /** The schema of the response, which has the items. */
  readonly answer: TSchema;
  readonly all: (target: Target<P>) => Promise<readonly T[]>;
}

/** A request with a body. */
interface Change<P extends TSchema, B extends TSchema, T> extends Operation {
  readonly body: B;
  /** The statuses of its errors, beside those of all routes. */
  readonly fails: readonly number[];
  readonly run: (target: Target<P>, body: Static<B>, request: FastifyRequest) => Promise<T>;
}

interface LocatedAddition<P extends TSchema, B extends TSchema, T> extends Change<P, B, T> {
  /** The address of the added object, for the header `Location`. */
  readonly location: (added: T, target: Target<P>) => string;
}

interface SecretAddition<P extends TSchema, B extends TSchema, A extends TSchema>
  extends Change<P, B, Static<A>> {
  /** The response, which may have a secret that no other response has. */
  readonly answer: A;
}

interface Reading<P extends TSchema, T> extends Operation {
  /** It throws the error of the room if there is none. */
  readonly find: (target: Target<P>) => Promise<T>;
}

interface Removal<P extends TSchema> extends Operation {
  /** Statuses besides 404. */
  readonly fails?: readonly number[];
  readonly run: (target: Target<P>) => Promise<unknown>;
}

/**
 * Registers the routes of one kind of object, one with each call: `add` and `list` at the path of all, `get`, `change`, `put` and `remove`
 * at the path of one. Each operation names its permission and its use case. The handlers only translate and present.
 */
export function resourceRoutes<P extends TSchema, I extends TSchema, S extends TSchema, T>(
  app: RouteScope,
  { all, one, ...shown }: { readonly all: Endpoint<P>; readonly one: Endpoint<I> } & Shown<S, T>,
) {
  return { ...listRoutes(app, { ...all, ...shown }), ...objectRoutes(app, { ...one, ...shown }) };
}

/** Registers the routes at the path of all objects of a kind: see {@link resourceRoutes}. */
function listRoutes<P extends TSchema, S extends TSchema, T>(
  app: RouteScope,
  kind: Endpoint<P> & Shown<S, T>,
) {
  const { shown, toResponse } = kind;
  const register = registrar(app, kind);
  return {
    /** A list with pages. */
    list<Q extends TObject>({ page, keyOf, narrowed, count, ...operation }: ListOf<P, T, Q>): void {
      const querystring = Type.Object({
        ...pageQuery.properties,
        ...(count && { includeTotal }),
        ...narrowed?.properties,
      });
      const answer = count ? countedPageOf(shown) : pageOf(shown);
      const schema = { querystring, response: { 200: answer, ...problems(400, 404) } };
      register('GET', operation, schema, (request, target) => {
        const query = request.query as Static<typeof pageQuery> & { includeTotal?: string } & Static<Q>;
        const found = answerKeyedPage(query, (wanted) => page(target, wanted, query), { toResponse, keyOf });
        return count ? withTotal(query, found, () => count(target, query)) : found;
      });
    },
    /** A list of so few objects that it has no pages. */
    listAll({ answer, all, ...operation }: WholeListOf<P, T>): void {
      const schema = { response: { 200: answer, ...problems(404) } };
      register('GET', operation, schema, async (_request, target) => ({
        items: (await all(target)).map(toResponse),
      }));
    },
    /** Adds an object with an address of its own. */
    add<B extends TSchema>({ body, fails, run, location, ...operation }: LocatedAddition<P, B, T>): void {
      const schema = { body, response: { 201: shown, ...problems(...fails) }, described: () => located };
      register('POST', operation, schema, async (request, target, reply) => {
        const added = await run(target, request.body as Static<B>, request);
        return reply.code(201).header('location', location(added, target)).send(toResponse(added));
      });
    },
    /** Adds what has no address of its own, such as a secret of a client. */
    addPart<B extends TSchema, A extends TSchema>(route: SecretAddition<P, B, A>): void {
      const { body, answer, fails, run, ...operation } = route;
      const schema = { body, response: { 201: answer, ...problems(...fails) } };
      register('POST', operation, schema, async (request, target, reply) => {
        const added = await run(target, request.body as Static<B>, request);
        return reply.code(201).send(added);
      });
    },
  };
}

/** Registers the routes at the path of one object: see {@link resourceRoutes}. */
export function objectRoutes<P extends TSchema, S extends TSchema, T>(
  app: RouteScope,
  kind: Endpoint<P> & Shown<S, T>,
) {
  const { shown, toResponse } = kind;
  const register = registrar(app, kind);
  const change =
    (method: 'PATCH' | 'PUT') =>
    <B extends TSchema>({ body, fails, run, ...operation }: Change<P, B, T>): void => {
      const schema = { body, response: { 200: shown, ...problems(...fails) } };
      register(method, operation, schema, async (request, target) =>
        toResponse(await run(target, request.body as Static<B>, request)),
      );
    };
  return {
    get({ find, ...operation }: Reading<P, T>): void {
      const schema = { response: { 200: shown, ...problems(404) } };
      register('GET', operation, schema, async (_request, target) => toResponse(await find(target)));
    },
    /** Changes what the body names. */
    change: change('PATCH'),
    /** Replaces the object as a whole. */
    put: change('PUT'),
    remove({ fails = [], run, ...operation }: Removal<P>): void {
      const schema = { response: { 204: noContent, ...problems(404, ...fails) } };
      register('DELETE', operation, schema, async (_request, target, reply) => {
        await run(target);
        return reply.code(204).send(null);
      });
    },
  };
}

type Handler<P extends TSchema> = (
  request: FastifyRequest,
  target: Target<P>,
  reply: FastifyReply,
) => unknown;

/** Returns the function that adds a route at an endpoint. */
function registrar<P extends TSchema>(
  app: RouteScope,
  { path, params, tags }: Endpoint<P> & { readonly tags: string[] },
) {
  return (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    { onRequest, ...texts }: Operation,
    schema: object,
    handler: Handler<P>,
  ): void => {
    app.route({
      method,
      url: path,
      onRequest,
      schema: { tags, security, ...texts, ...(params && { params }), ...schema },
      async handler(request, reply) {
        // The schema has checked them.
        const target = { ...(request.params as object), editor: editorOf(request) } as Target<P>;
        return handler(request, target, reply);
      },
    });
  };
}
