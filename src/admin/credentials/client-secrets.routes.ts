import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  addClientSecret,
  type ClientTarget,
  removeClientSecret,
} from '#src/clients/change-credentials/index.js';
import { type ClientSecret, maxSecrets } from '#src/clients/credentials/index.js';
import { objectName, orEmpty } from '#src/directory/index.js';
import { clientOfPath } from '../http/client-of-path.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, shapedText, strictObject, timestamp, toDate } from '../http/schemas.js';
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
  | 'secretUsesStore'
  | 'serviceUsers'
  | 'users'
>;

const label = shapedText(200, orEmpty(objectName), 'What people call it');
const secret = Type.Object(
  {
    id: Type.String(),
    label: Type.Optional(label),
    created: timestamp,
    expires: Type.Optional(timestamp),
    lastUsed: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Up to five minutes old. Absent if it was never used',
      }),
    ),
  },
  { title: 'ClientSecret' },
);

const addedSecret = Type.Object(
  {
    id: Type.String(),
    clientId: Type.String(),
    clientSecret: Type.String(),
    label: Type.Optional(label),
    created: timestamp,
    expires: Type.Optional(timestamp),
  },
  { title: 'CreatedClientSecret' },
);

const secretBody = strictObject(
  {
    label: Type.Optional(label),
    expires: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'In the future. Absent if it does not expire',
      }),
    ),
  },
  { examples: [{ label: 'Billing' }, { label: 'Trial', expires: '2999-12-31T00:00:00Z' }] },
);

/** Texts of the documentation for each kind of client. */
const texts = {
  application: {
    name: 'ApplicationSecret',
    list: 'List the client secrets of an application, without the secrets',
    remove: 'Remove a client secret; tokens that were issued with it stay valid',
  },
  serviceUser: {
    name: 'ClientSecret',
    list: 'List the client secrets of a service user, without the secrets',
    remove: 'Remove a client secret; access tokens that were issued with it stay valid',
  },
};

/** Routes for the secrets with which applications or service users authenticate at the token endpoint. */
export function clientSecretRoutes(deps: Deps, kind: ClientTarget['kind']): FastifyPluginAsyncTypebox {
  const { path, params, tags, mayRead, mayChange, find } = clientOfPath(deps, kind);
  const { name, ...summaries } = texts[kind];
  const secretParams = Type.Object({ ...params.properties, secretId: Type.String({ maxLength: 200 }) });

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags,
      all: { path: `${path}/secrets`, params },
      one: { path: `${path}/secrets/:secretId`, params: secretParams },
      shown: secret,
      toResponse,
    });
    routes.addPart({
      onRequest: mayChange,
      operationId: `add${name}`,
      summary: `Add a client secret, shown only in this answer; at most ${maxSecrets} at once`,
      body: secretBody,
      answer: addedSecret,
      fails: [400, 404, 409],
      async run(target, { label, expires }) {
        const { secret, clientSecret } = await addClientSecret(
          deps,
          { ...target, kind },
          { label, expires: expires === undefined ? undefined : toDate(expires) },
        );
        return { ...toResponse(secret), clientId: target.id, clientSecret };
      },
    });
    routes.listAll({
      onRequest: mayRead,
      operationId: `list${name}s`,
      summary: summaries.list,
      answer: pageOf(secret),
      async all(target) {
        const { secrets } = await find(target);
        const ids = secrets.map(({ id }) => id);
        const uses = await deps.secretUsesStore.find(target.orgId, ids);
        return secrets.map((one) => ({ ...one, lastUsed: uses.get(one.id) }));
      },
    });
    routes.remove({
      onRequest: mayChange,
      operationId: `remove${name}`,
      summary: summaries.remove,
      run: ({ secretId, ...target }) => removeClientSecret(deps, { ...target, kind }, secretId),
    });
  };
}

type UsedSecret = ClientSecret & { readonly lastUsed?: Date | undefined };

function toResponse({ id, label, created, expires, lastUsed }: UsedSecret) {
  return {
    id,
    ...(label !== undefined && { label }),
    created: created.toISOString(),
    ...(expires && { expires: expires.toISOString() }),
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}
