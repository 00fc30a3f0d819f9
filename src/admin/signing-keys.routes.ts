import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { removeSigningKey } from '#src/keys/remove-signing-key.js';
import { rotateSigningKeys } from '#src/keys/rotate-signing-keys.js';
import { type SigningKeySummary, signingAlgorithms } from '#src/keys/signing-key.js';
import { editorOf, onInstance } from './http/caller.js';
import { noContent, problems, security, strictObject, timestamp } from './http/schemas.js';
import { signingNow, signingToResponse } from './http/signing-now.js';
import type { AdminNeeds } from './needs/needs.js';

const signingKey = Type.Object(
  {
    kid: Type.String(),
    alg: Type.Enum(signingAlgorithms, { description: 'Each algorithm has an active and a next key' }),
    state: Type.Enum(['next', 'active', 'retired'], {
      description: '`next` will sign, `active` signs, `retired` only verifies',
    }),
    created: timestamp,
    published: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the key set got it. Absent if no application and no setting uses its algorithm',
      }),
    ),
    activated: Type.Optional(timestamp),
    expires: Type.Optional(
      Type.String({ format: 'date-time', description: 'When a retired key is removed' }),
    ),
  },
  { title: 'SigningKey' },
);
const signing = Type.Object(
  {
    ...signingNow,
    configured: Type.Enum(signingAlgorithms, {
      description: 'MUSTER_SIGNING_ALGORITHM. It signs once every client can know its keys',
    }),
  },
  { description: 'What signs tokens for which no application chose another algorithm' },
);
const list = Type.Object({ items: Type.Array(signingKey), signing });

const tags = ['signing keys'];

/** Routes for the keys that sign tokens. Only owners of the instance may use them. */
export function signingKeyRoutes(
  deps: Pick<AdminNeeds, 'signingKeyRotation' | 'signingKeys'>,
): FastifyPluginAsyncTypebox {
  const { signingKeys, signingKeyRotation } = deps;
  const toResponse = async () => {
    // Whoever looks at the keys may rotate them next.
    signingKeyRotation.pairs.prepare();
    const [keys, { configured, ...usual }] = await Promise.all([signingKeys.list(), signingKeys.usual()]);
    return { items: keys.map(keyToResponse), signing: { ...signingToResponse(usual), configured } };
  };

  return async (app) => {
    const onRequest = onInstance('instance.manage');

    app.get(
      '/signing-keys',
      {
        onRequest,
        schema: {
          tags,
          security,
          operationId: 'listSigningKeys',
          summary: 'List the keys that sign tokens',
          response: { 200: list, ...problems() },
        },
      },
      toResponse,
    );

    app.post(
      '/signing-keys/_rotate',
      {
        onRequest,
        schema: {
          tags,
          security,
          operationId: 'rotateSigningKeys',
          summary: 'Let the next keys sign; the active ones then only verify',
          body: strictObject(
            {
              alg: Type.Optional(
                Type.Enum(signingAlgorithms, {
                  description: 'Only the keys of this algorithm; by default those of every algorithm',
                }),
              ),
              force: Type.Optional(
                Type.Boolean({
                  description:
                    'Although the next key was published so shortly ago that clients may not know it: for a key that got ' +
                    'out, which is to be removed then',
                }),
              ),
            },
            { examples: [{ alg: 'RS256', force: true }] },
          ),
          response: { 200: list, ...problems(400, 409) },
        },
      },
      async (request) => {
        const { alg, force = false } = request.body;
        await rotateSigningKeys(signingKeyRotation, {
          force,
          editor: editorOf(request),
          ...(alg !== undefined && { algorithms: [alg] }),
        });
        return toResponse();
      },
    );

    app.delete(
      '/signing-keys/:kid',
      {
        onRequest,
        schema: {
          tags,
          security,
          operationId: 'removeSigningKey',
          summary: 'Remove a retired key that leaked; every token that it signed is refused',
          params: Type.Object({ kid: Type.String({ maxLength: 200 }) }),
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        const { kid } = request.params;
        await removeSigningKey(signingKeyRotation, { kid, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function keyToResponse({ kid, alg, state, created, published, activated, expires }: SigningKeySummary) {
  return {
    kid,
    alg,
    state,
    created: created.toISOString(),
    ...(published !== undefined && { published: published.toISOString() }),
    ...(activated !== undefined && { activated: activated.toISOString() }),
    ...(expires !== undefined && { expires: expires.toISOString() }),
  };
}
