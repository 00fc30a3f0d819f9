import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import type { Container } from '#src/container.js';
import { type ClientKey, clientKeyAlgorithms } from '#src/directory/credentials/client-key.js';
import { addClientKey, removeClientKey } from '#src/directory/credentials/client-keys.js';
import type { ClientTarget } from '#src/directory/credentials/write-client.js';
import { editorOf } from './http/caller.js';
import { clientOfPath } from './http/client-of-path.js';
import { noContent, pageOf, problems, security, strictObject, timestamp, toDate } from './schemas.js';

const jwk = Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Web Key (RFC 7517)' });

const key = Type.Object({
  kid: Type.String(),
  jwk,
  created: timestamp,
  expires: Type.Optional(timestamp),
});

const addedKey = Type.Object({
  ...key.properties,
  clientId: Type.String(),
  privateJwk: Type.Optional(jwk),
});

const keyBody = strictObject(
  {
    jwk: Type.Optional(jwk),
    algorithm: Type.Optional(Type.Enum(clientKeyAlgorithms, { description: 'Of the pair to make; RS256' })),
    expires: Type.Optional(timestamp),
  },
  'A public key to keep; without one a pair is made, and its private part is in this answer and in no other',
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
export function clientKeyRoutes(container: Container, kind: ClientTarget['kind']): FastifyPluginAsyncTypebox {
  const { path, params, tags, mayRead, mayChange, find } = clientOfPath(container, kind);
  const { name, list } = texts[kind];
  const keyParams = Type.Object({ ...params.properties, kid: Type.String({ maxLength: 200 }) });

  return async (app) => {
    app.post(
      `${path}/keys`,
      {
        onRequest: mayChange,
        config: { sensitive: true },
        schema: {
          tags,
          security,
          operationId: `add${name}`,
          summary: 'Add a public key, or make a pair whose private part is shown only in this answer',
          params,
          body: keyBody,
          response: { 201: addedKey, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const target = { ...request.params, kind, editor: editorOf(request) };
        const { key, privateJwk } = await addClientKey(container, target, givenKey(request.body));
        return reply.code(201).send({
          ...present(key),
          clientId: target.id,
          ...(privateJwk && { privateJwk: { ...privateJwk } }),
        });
      },
    );

    app.get(
      `${path}/keys`,
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: `list${name}s`,
          summary: list,
          params,
          response: { 200: pageOf(key), ...problems(404) },
        },
      },
      async (request) => ({ items: (await find(request.params)).keys.map(present) }),
    );

    app.delete(
      `${path}/keys/:kid`,
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: `remove${name}`,
          summary: 'Remove a public key; assertions that it signed are refused',
          params: keyParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { kid, ...client } = request.params;
        await removeClientKey(container, { ...client, kind, editor: editorOf(request) }, kid);
        return reply.code(204).send(null);
      },
    );
  };
}

/** Returns the key that the body asks to add. */
function givenKey({ expires, ...given }: Static<typeof keyBody>) {
  return { ...given, ...(expires !== undefined && { expires: toDate(expires) }) };
}

function present({ kid, jwk, created, expires }: ClientKey) {
  return {
    kid,
    jwk: { ...jwk },
    created: created.toISOString(),
    ...(expires !== undefined && { expires: expires.toISOString() }),
  };
}
