import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  addClientSecret,
  type ClientTarget,
  removeClientSecret,
} from '#src/clients/change-credentials/index.js';
import { type ClientSecret, maxSecrets } from '#src/clients/credentials/index.js';
import { objectName, orEmpty } from '#src/directory/index.js';
import { editorOf } from '../http/caller.js';
import { clientOfPath } from '../http/client-of-path.js';
import {
  noContent,
  pageOf,
  problems,
  security,
  shapedText,
  strictObject,
  timestamp,
  toDate,
} from '../http/schemas.js';
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
  { title: 'NewClientSecret' },
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
    app.post(
      `${path}/secrets`,
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: `add${name}`,
          summary: `Add a client secret, shown only in this answer; at most ${maxSecrets} at once`,
          params,
          body: strictObject(
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
          ),
          response: { 201: addedSecret, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const target = { ...request.params, kind, editor: editorOf(request) };
        const { label, expires } = request.body;
        const { secret, clientSecret } = await addClientSecret(deps, target, {
          label,
          expires: expires === undefined ? undefined : toDate(expires),
        });
        return reply.code(201).send({ ...present(secret), clientId: target.id, clientSecret });
      },
    );

    app.get(
      `${path}/secrets`,
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: `list${name}s`,
          summary: summaries.list,
          params,
          response: { 200: pageOf(secret), ...problems(404) },
        },
      },
      async (request) => {
        const { secrets } = await find(request.params);
        const ids = secrets.map(({ id }) => id);
        const uses = await deps.secretUsesStore.find(request.params.orgId, ids);
        return { items: secrets.map((one) => present(one, uses.get(one.id))) };
      },
    );

    app.delete(
      `${path}/secrets/:secretId`,
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: `remove${name}`,
          summary: summaries.remove,
          params: secretParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { secretId, ...client } = request.params;
        await removeClientSecret(deps, { ...client, kind, editor: editorOf(request) }, secretId);
        return reply.code(204).send(null);
      },
    );
  };
}

function present({ id, label, created, expires }: ClientSecret, lastUsed?: Date) {
  return {
    id,
    ...(label !== undefined && { label }),
    created: created.toISOString(),
    ...(expires && { expires: expires.toISOString() }),
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}
