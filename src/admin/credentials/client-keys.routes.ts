import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { addClientKey, type ClientTarget, removeClientKey } from '#src/clients/change-credentials/index.js';
import { type ClientKey, clientKeyAlgorithms } from '#src/clients/credentials/index.js';
import { noDotSegment } from '#src/platform/path-segment.js';
import { clientOfPath } from '../http/client-of-path.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { notBoth, pageOf, strictObject, timestamp, toDate } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'applications'
  | 'caches'
  | 'clock'
  | 'events'
  | 'groups'
  | 'identifiers'
  | 'memberships'
  | 'mongo'
  | 'organizations'
  | 'projects'
  | 'serviceUsers'
  | 'threads'
  | 'users'
>;

const jwk = Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Web Key (RFC 7517)' });

const key = Type.Object(
  {
    kid: Type.String(),
    jwk,
    created: timestamp,
    expires: Type.Optional(timestamp),
  },
  { title: 'ClientKey' },
);

const addedKey = Type.Object(
  {
    ...key.properties,
    clientId: Type.String(),
    privateJwk: Type.Optional(jwk),
  },
  { title: 'CreatedClientKey' },
);

const member = { type: 'string', pattern: '^[A-Za-z0-9_\\-]+$' };
/** What a public key has (RFC 7518 section 6, RFC 8037). It has no private part. */
const publicJwk = {
  type: 'object',
  anyOf: [
    {
      required: ['kty', 'n', 'e'],
      properties: { kty: { const: 'RSA' }, n: member, e: { enum: ['AQAB', 'Aw'] } },
    },
    {
      required: ['kty', 'crv', 'x', 'y'],
      properties: { kty: { const: 'EC' }, crv: { enum: ['P-256', 'P-384', 'P-521'] }, x: member, y: member },
    },
    {
      required: ['kty', 'crv', 'x'],
      properties: { kty: { const: 'OKP' }, crv: { const: 'Ed25519' }, x: member },
    },
  ],
  properties: {
    use: { const: 'sig' },
    kid: { type: 'string', pattern: `^${noDotSegment}[!-~]{1,200}$` },
    d: false,
    k: false,
  },
};

const keyBody = strictObject(
  {
    jwk: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'JSON Web Key (RFC 7517)',
        ruled: publicJwk,
      }),
    ),
    algorithm: Type.Optional(Type.Enum(clientKeyAlgorithms, { description: 'Of the pair to make; RS256' })),
    expires: Type.Optional(Type.String({ format: 'date-time', description: 'In the future' })),
  },
  {
    description:
      'A public key to keep; without one a pair is made, and its private part is in this answer and in no other',
    examples: [
      { algorithm: 'ES256' },
      { jwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } },
    ],
    ruled: notBoth('jwk', 'algorithm'),
  },
);

/** Texts of the documentation for each kind of client. */
const texts = {
  application: { name: 'ApplicationKey', list: 'List the public keys of an application' },
  serviceUser: { name: 'ServiceUserKey', list: 'List the public keys of a service user' },
};

/**
 * Routes for the public keys of applications or service users, for private_key_jwt and the JWT profile grant (RFC
 * 7523).
 */
export function clientKeyRoutes(deps: Deps, kind: ClientTarget['kind']): FastifyPluginAsyncTypebox {
  const { path, params, tags, mayRead, mayChange, find } = clientOfPath(deps, kind);
  const { name, list } = texts[kind];
  const keyParams = Type.Object({ ...params.properties, kid: Type.String({ maxLength: 200 }) });

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags,
      all: { path: `${path}/keys`, params },
      one: { path: `${path}/keys/:kid`, params: keyParams },
      shown: key,
      toResponse,
    });
    routes.addPart({
      onRequest: mayChange,
      operationId: `add${name}`,
      summary: 'Add a public key, or make a pair whose private part is shown only in this answer',
      body: keyBody,
      answer: addedKey,
      fails: [400, 404, 409],
      async run(target, body) {
        const { key, privateJwk } = await addClientKey(deps, { ...target, kind }, givenKey(body));
        return {
          ...toResponse(key),
          clientId: target.id,
          ...(privateJwk && { privateJwk: { ...privateJwk } }),
        };
      },
    });
    routes.listAll({
      onRequest: mayRead,
      operationId: `list${name}s`,
      summary: list,
      answer: pageOf(key),
      all: async (target) => (await find(target)).keys,
    });
    routes.remove({
      onRequest: mayChange,
      operationId: `remove${name}`,
      summary: 'Remove a public key; assertions that it signed are refused',
      run: ({ kid, ...target }) => removeClientKey(deps, { ...target, kind }, kid),
    });
  };
}

/** Returns the key that the body asks to add. */
function givenKey({ expires, ...given }: Static<typeof keyBody>) {
  return { ...given, ...(expires !== undefined && { expires: toDate(expires) }) };
}

function toResponse({ kid, jwk, created, expires }: ClientKey) {
  return {
    kid,
    jwk: { ...jwk },
    created: created.toISOString(),
    ...(expires !== undefined && { expires: expires.toISOString() }),
  };
}
