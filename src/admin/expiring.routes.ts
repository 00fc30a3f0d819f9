import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { firstExpiry } from '#src/clients/credentials/index.js';
import { callerOf } from './http/caller.js';
import { problems, security, timestamp } from './http/schemas.js';
import { visibleOwner } from './http/visible-owner.js';
import type { AdminNeeds } from './needs/needs.js';

const item = Type.Object({
  of: Type.Enum(['application', 'serviceUser', 'connection'], { description: 'Whose credential it is' }),
  id: Type.String({ description: 'The application, the service user or the connection' }),
  orgId: Type.String(),
  name: Type.String(),
  credential: Type.Enum(['secretOrKey', 'token']),
  expires: timestamp,
});

const query = Type.Object({
  orgId: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only this organization; an instance owner may leave it out',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

const dayMs = 24 * 3600 * 1000;
const pastMs = 7 * dayMs;
const futureMs = 30 * dayMs;

/** `GET /expiring`: secrets, keys, tokens and certificates of providers that expired within 7 days or expire within 30. */
export function expiringRoutes(
  deps: Pick<
    AdminNeeds,
    'applications' | 'caches' | 'clock' | 'connections' | 'personalAccessTokens' | 'serviceUsers'
  >,
): FastifyPluginAsyncTypebox {
  const { applications, serviceUsers, personalAccessTokens, caches, clock } = deps;
  return async (app) => {
    app.get(
      '/expiring',
      {
        schema: {
          tags: ['service'],
          security,
          operationId: 'listExpiring',
          summary: 'List secrets, keys and tokens that expire within 30 days, or expired within the last 7',
          description:
            'An owner of the instance reads those of all organizations. Every other caller needs the role ORG_OWNER, and reads one organization',
          querystring: query,
          response: { 200: Type.Object({ items: Type.Array(item) }), ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId: asked, limit = 20 } = request.query;
        const orgId = visibleOwner(callerOf(request), { name: 'orgId', orgId: asked });
        const now = clock.now().getTime();
        const span = { from: new Date(now - pastMs), until: new Date(now + futureMs) };
        const [apps, users, tokens, connections] = await Promise.all([
          applications.expiring(orgId, { ...span, limit }),
          serviceUsers.expiring(orgId, { ...span, limit }),
          personalAccessTokens.expiring(orgId, { ...span, limit }),
          deps.connections.ending(orgId, { ...span, limit }),
        ]);
        const owners = await Promise.all(tokens.map(({ userId }) => caches.serviceUsers.get(userId)));
        const ofClients = [
          ...apps.map((one) => ({ of: 'application' as const, one })),
          ...users.map((one) => ({ of: 'serviceUser' as const, one })),
        ].map(({ of, one }) => ({
          of,
          ...pick(one),
          credential: 'secretOrKey' as const,
          expires: (firstExpiry(one, span) ?? span.until).toISOString(),
        }));
        const ofTokens = tokens.flatMap(({ expires }, at) => {
          const owner = owners[at];
          const of = { of: 'serviceUser' as const, credential: 'token' as const };
          return owner === undefined ? [] : [{ ...of, ...pick(owner), expires: expires.toISOString() }];
        });
        const ofConnections = connections.map(({ ends, ...one }) => ({
          ...{ of: 'connection' as const, ...pick(one), credential: 'secretOrKey' as const },
          expires: ends.toISOString(),
        }));
        const items = [...ofClients, ...ofTokens, ...ofConnections].sort((a, b) =>
          a.expires < b.expires ? -1 : 1,
        );
        return { items: items.slice(0, limit) };
      },
    );
  };
}

function pick({ id, orgId, name }: { id: string; orgId: string; name: string }) {
  return { id, orgId, name };
}
