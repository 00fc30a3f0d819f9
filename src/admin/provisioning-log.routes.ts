import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { errorCatalogue } from '#src/platform/errors.js';
import { entryKinds } from '#src/provisioning-log/entry.js';
import type { StoredEntry } from '#src/provisioning-log/provisioning-log.store.js';
import { inOrganization } from './http/caller.js';
import { answerPage, orgParams, pageOf, pageQuery, problems, security, timestamp } from './http/schemas.js';
import type { AdminNeeds } from './needs/needs.js';

const kind = Type.Enum(entryKinds, {
  description:
    '`refused`: without a valid token, or for an address that does not exist. Anybody can send such a request',
});
const httpStatus = Type.Integer({ minimum: 100, maximum: 599 });

const entry = Type.Object({
  id: Type.String(),
  time: timestamp,
  kind,
  serviceUserId: Type.Optional(Type.String({ description: 'Absent if no service user is known' })),
  method: Type.String(),
  path: Type.String({
    description: 'Below the SCIM base. A part that does not look like an identifier is …',
  }),
  query: Type.Optional(
    Type.String({
      description: 'Names of parameters, and of the attributes of a filter. Values are not kept',
    }),
  ),
  status: httpStatus,
  errorId: Type.Optional(Type.String()),
  errorMessage: Type.Optional(Type.String({ description: 'What the error means; /docs/errors lists them' })),
  duration: Type.Number({ description: 'Milliseconds' }),
  userAgent: Type.Optional(Type.String()),
});

const messages = () => new Map(errorCatalogue.map(({ id, message }) => [id, message]));

/** `GET /orgs/{orgId}/provisioning-log`: what SCIM clients sent and got, the latest first. */
export function provisioningLogRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'provisioningLogStore'>,
): FastifyPluginAsyncTypebox {
  const { provisioningLogStore } = deps;
  return async (app) => {
    const messageOf = messages();
    app.get(
      '/orgs/:orgId/provisioning-log',
      {
        onRequest: inOrganization(deps, 'org.read'),
        schema: {
          tags: ['organizations'],
          security,
          operationId: 'listProvisioningLog',
          summary:
            'List what SCIM clients sent and got, the latest first, without bodies. Of the many that succeed, only some are kept',
          params: orgParams,
          querystring: Type.Object({
            ...pageQuery.properties,
            kind: Type.Optional(kind),
            status: Type.Optional(httpStatus),
            serviceUserId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          }),
          response: { 200: pageOf(entry), ...problems(400, 404) },
        },
      },
      async (request) => {
        const { after: _after, limit: _limit, ...conditions } = request.query;
        const find = ({ after, limit }: { after?: string; limit: number }) =>
          provisioningLogStore.page(request.params.orgId, {
            ...conditions,
            ...(after !== undefined && { before: after }),
            limit,
          });
        return answerPage(request.query, find, (found) => toResponse(found, messageOf));
      },
    );
  };
}

function toResponse({ orgId: _, at, ...shown }: StoredEntry, messageOf: ReadonlyMap<string, string>) {
  const errorMessage = shown.errorId === undefined ? undefined : messageOf.get(shown.errorId);
  return { ...shown, time: at.toISOString(), ...(errorMessage !== undefined && { errorMessage }) };
}
