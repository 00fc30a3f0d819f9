import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { addFederatedCredential, removeFederatedCredential } from '#src/clients/change-credentials/index.js';
import {
  type FederatedCredential,
  maxFederatedCredentials,
  maxFederatedText,
} from '#src/clients/credentials/index.js';
import {
  directoryErrors,
  issuerAddress,
  objectName,
  orEmpty,
  type ValueShape,
  visibleText,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization, overServiceUser } from '../http/caller.js';
import {
  noContent,
  pageOf,
  problems,
  security,
  serviceUserParams,
  shapedText,
  strictObject,
  timestamp,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const text = (ruled: ValueShape, description: string) =>
  Type.String({ minLength: 1, maxLength: maxFederatedText, description, ruled });
const label = shapedText(200, orEmpty(objectName), 'What people call it');

const federatedCredential = Type.Object(
  {
    id: Type.String(),
    clientId: Type.String({ description: 'The client_id with which the JWT is sent' }),
    issuer: Type.String(),
    subject: Type.String(),
    audience: Type.String(),
    label: Type.Optional(label),
    created: timestamp,
    lastUsed: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Up to five minutes old. Absent if it was never used',
      }),
    ),
  },
  { title: 'FederatedCredential' },
);

const path = '/orgs/:orgId/service-users/:id/federated-credentials';
const tags = ['credentials'];

/** Routes for the outside issuers whose JWTs prove a service user (workload identity federation). */
export function federatedCredentialRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'config'
    | 'events'
    | 'issuerKeys'
    | 'memberships'
    | 'mongo'
    | 'secretUsesStore'
    | 'serviceUsers'
  >,
): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(deps, 'org.read');
  const mayChange = [inOrganization(deps, 'org.write'), overServiceUser(deps)];

  return async (app) => {
    app.post(
      path,
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'addFederatedCredential',
          summary: `Trust the JWTs of an outside issuer; at most ${maxFederatedCredentials} trusts at once. Its keys are read at once`,
          params: serviceUserParams,
          body: strictObject(
            {
              issuer: text(
                issuerAddress,
                'Its https address, exactly as in iss. Its discovery document names its keys',
              ),
              subject: text(visibleText, 'The sub of the JWT, without wildcards'),
              audience: Type.Optional(text(visibleText, 'The aud of the JWT; the issuer of this service')),
              label: Type.Optional(label),
            },
            {
              examples: [
                {
                  issuer: 'https://token.actions.githubusercontent.com',
                  subject: 'repo:northwind/shop:ref:refs/heads/main',
                  label: 'Deployment of the shop',
                },
              ],
            },
          ),
          response: { 201: federatedCredential, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const target = { ...request.params, editor: editorOf(request) };
        const added = await addFederatedCredential(deps, target, request.body);
        return reply.code(201).send(present(target.id, added));
      },
    );

    app.get(
      path,
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listFederatedCredentials',
          summary: 'List the outside issuers, subjects and audiences that a service user trusts',
          params: serviceUserParams,
          response: { 200: pageOf(federatedCredential), ...problems(404) },
        },
      },
      async (request) => {
        const { orgId, id } = request.params;
        const found = await deps.serviceUsers.find(orgId, id);
        if (found === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
        const trusts = found.federatedCredentials ?? [];
        const uses = await deps.secretUsesStore.find(
          orgId,
          trusts.map((trust) => trust.id),
        );
        return { items: trusts.map((trust) => present(id, trust, uses.get(trust.id))) };
      },
    );

    app.delete(
      `${path}/:credentialId`,
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'removeFederatedCredential',
          summary: 'Trust it no longer; access tokens that were issued for its JWTs stay valid',
          params: Type.Object({
            ...serviceUserParams.properties,
            credentialId: Type.String({ maxLength: 200 }),
          }),
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { credentialId, ...target } = request.params;
        await removeFederatedCredential(deps, { ...target, editor: editorOf(request) }, credentialId);
        return reply.code(204).send(null);
      },
    );
  };
}

function present(clientId: string, { created, ...trust }: FederatedCredential, lastUsed?: Date) {
  return {
    ...trust,
    clientId,
    created: created.toISOString(),
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}
