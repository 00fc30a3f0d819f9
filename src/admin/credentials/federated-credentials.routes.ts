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
import { inOrganization, overServiceUser } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, serviceUserParams, shapedText, strictObject, timestamp } from '../http/schemas.js';
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

const body = strictObject(
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
);

const credentialParams = Type.Object({
  ...serviceUserParams.properties,
  credentialId: Type.String({ maxLength: 200 }),
});
const path = '/orgs/:orgId/service-users/:id/federated-credentials';

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
    const routes = resourceRoutes(app, {
      tags: ['credentials'],
      all: { path, params: serviceUserParams },
      one: { path: `${path}/:credentialId`, params: credentialParams },
      shown: federatedCredential,
      toResponse,
    });
    routes.addPart({
      onRequest: mayChange,
      operationId: 'addFederatedCredential',
      summary: `Trust the JWTs of an outside issuer; at most ${maxFederatedCredentials} trusts at once. Its keys are read at once`,
      body,
      answer: federatedCredential,
      fails: [400, 404, 409],
      async run(target, body) {
        const added = await addFederatedCredential(deps, target, body);
        return toResponse({ ...added, clientId: target.id });
      },
    });
    routes.listAll({
      onRequest: mayRead,
      operationId: 'listFederatedCredentials',
      summary: 'List the outside issuers, subjects and audiences that a service user trusts',
      answer: pageOf(federatedCredential),
      async all({ orgId, id }) {
        const found = deps.serviceUsers.find(orgId, id);
        const { federatedCredentials = [] } = await orNotFound(found, directoryErrors.serviceUserNotFound);
        const ids = federatedCredentials.map((trust) => trust.id);
        const uses = await deps.secretUsesStore.find(orgId, ids);
        return federatedCredentials.map((trust) => ({
          ...trust,
          clientId: id,
          lastUsed: uses.get(trust.id),
        }));
      },
    });
    routes.remove({
      onRequest: mayChange,
      operationId: 'removeFederatedCredential',
      summary: 'Trust it no longer; access tokens that were issued for its JWTs stay valid',
      run: ({ credentialId, ...target }) => removeFederatedCredential(deps, target, credentialId),
    });
  };
}

interface UsedCredential extends FederatedCredential {
  readonly clientId: string;
  readonly lastUsed?: Date | undefined;
}

function toResponse({ clientId, created, lastUsed, ...trust }: UsedCredential) {
  return {
    ...trust,
    clientId,
    created: created.toISOString(),
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}
