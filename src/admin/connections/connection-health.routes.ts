import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { connectionErrors } from '#src/connections/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import { requireUsable } from '#src/connections/sign-in/index.js';
import { AppError } from '#src/platform/errors.js';
import { inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { problems, security, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { connectionParams } from './connection-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'caches'
  | 'clock'
  | 'connections'
  | 'events'
  | 'metadataFetch'
  | 'providerKeys'
  | 'providerFetch'
  | 'providers'
  | 'samlThreads'
  | 'provisioningLogStore'
  | 'secretUsesStore'
>;

const path = '/orgs/:orgId/connections/:connectionId';
const tags = ['connections'];

const health = Type.Object({
  lastSignIn: Type.Optional(
    Type.String({ format: 'date-time', description: 'Up to five minutes old. Absent if nobody signed in' }),
  ),
  lastProvisioning: Type.Optional(
    Type.Object(
      { time: timestamp, status: Type.Integer({ description: 'The status of the response' }) },
      {
        description:
          'The last request of the service user that provisions the same people (`linking.provisionedBy`), as far as the log of provisioning has it',
      },
    ),
  ),
  refusals: Type.Array(
    Type.Object({
      time: timestamp,
      reason: Type.String(),
      detail: Type.Optional(Type.String()),
      userId: Type.Optional(Type.String()),
    }),
    {
      description: 'The last ten refused sign-ins, the newest first. Equal ones within 10 seconds count once',
    },
  ),
});
const mostRefusals = 10;

/** Routes that say whether a connection works: when somebody last signed in, why sign-ins were refused, and whether its provider answers. */
export function connectionHealthRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const find = (orgId: string, id: string) =>
    orNotFound(deps.connections.find(orgId, id), connectionErrors.connectionNotFound);

  return async (app) => {
    app.get(
      `${path}/health`,
      {
        onRequest: inOrganization(deps, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'getConnectionHealth',
          summary: 'Say when a connection was last used and provisioned, and why sign-ins were refused',
          params: connectionParams,
          response: { 200: health, ...problems(404) },
        },
      },
      async ({ params: { orgId, connectionId } }) => {
        return readHealth(deps, await find(orgId, connectionId));
      },
    );
    app.post(
      `${path}/test`,
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'testConnection',
          summary: 'Check that the provider of a connection can be reached and used. Nobody signs in',
          params: connectionParams,
          response: {
            200: Type.Object({
              outcome: Type.Enum(['usable', 'unusable']),
              reason: Type.Optional(Type.String()),
              fault: Type.Optional(
                Type.String({
                  description: 'A name of the reason that does not change, such as `untrusted`',
                }),
              ),
              member: Type.Optional(
                Type.String({
                  description:
                    'The member of the discovery document whose address is at fault, such as `jwks_uri`. Absent: none, or the document itself',
                }),
              ),
            }),
            ...problems(404),
          },
        },
      },
      async ({ params: { orgId, connectionId } }) =>
        tryProvider(deps, orgId, await find(orgId, connectionId)),
    );
  };
}

async function tryProvider(
  deps: Deps,
  orgId: string,
  connection: Connection,
): Promise<{ outcome: 'usable' | 'unusable'; reason?: string; fault?: string; member?: string }> {
  try {
    await requireUsable(deps, orgId, connection);
    return { outcome: 'usable' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { reason: fault, member } = (error instanceof AppError && error.violations[0]?.params) || {};
    return {
      outcome: 'unusable',
      reason: error.message,
      ...(typeof fault === 'string' && { fault }),
      ...(typeof member === 'string' && { member }),
    };
  }
}

async function readHealth(
  deps: Deps,
  {
    orgId,
    id: connectionId,
    linking: { provisionedBy: serviceUserId },
  }: { orgId: string; id: string; linking: { provisionedBy?: string } },
) {
  const [uses, [provisioned], refused] = await Promise.all([
    deps.secretUsesStore.find(orgId, [connectionId]),
    serviceUserId === undefined ? [] : deps.provisioningLogStore.page(orgId, { serviceUserId, limit: 1 }),
    deps.events.search({
      aggregateId: connectionId,
      resourceOwner: orgId,
      eventTypes: ['connection.signIn.failed'],
      limit: mostRefusals,
      ascending: false,
    }),
  ]);
  const lastSignIn = uses.get(connectionId)?.toISOString();
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    ...(lastSignIn !== undefined && { lastSignIn }),
    ...(provisioned && {
      lastProvisioning: { time: provisioned.at.toISOString(), status: provisioned.status },
    }),
    refusals: refused.map(({ creationDate, payload }) => {
      const [detail, userId] = [textOf(payload['detail']), textOf(payload['userId'])];
      return {
        time: creationDate.toISOString(),
        reason: textOf(payload['reason']) ?? '',
        ...(detail !== undefined && { detail }),
        ...(userId !== undefined && { userId }),
      };
    }),
  };
}
