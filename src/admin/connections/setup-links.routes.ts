import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import {
  addSetupLink,
  endSetupLink,
  mostSetupLinks,
  openSetupLinks,
  type SetupLink,
  setupSteps,
} from '#src/connections/setup/index.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { noContent, orgParams, problems, security, strictObject, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  'caches' | 'clock' | 'config' | 'connections' | 'events' | 'mongo' | 'organizations' | 'setupLinks'
>;

const path = '/orgs/:orgId/setup-links';
const tags = ['connections'];
const steps = Type.Array(Type.Enum([...setupSteps]), {
  minItems: 1,
  maxItems: setupSteps.length,
  uniqueItems: true,
  description: 'What the link is for. `connection` is always among them',
  ruled: { contains: { const: 'connection' } },
});

const shownLink = Type.Object(
  {
    id: Type.String(),
    steps,
    createdBy: Type.String({ description: 'Without the permission of this caller, the link is nothing' }),
    created: timestamp,
    expires: timestamp,
    opened: Type.Optional(timestamp),
    done: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', format: 'date-time' },
      description: 'When each step was done last',
    }),
    domains: Type.Optional(
      Type.Array(Type.String(), { description: 'The domains that it named to prove them' }),
    ),
    connectionId: Type.Optional(Type.String()),
    serviceUserId: Type.Optional(Type.String()),
  },
  { title: 'SetupLink' },
);

const madeLink = Type.Object(
  {
    ...shownLink.properties,
    address: Type.String({
      description:
        'The address of the link, with its secret. It is shown this once, and works in the first browser alone',
    }),
  },
  { title: 'CreatedSetupLink' },
);

/** Routes for links by which the own IT of a customer connects its provider, without an account here. */
export function setupLinkRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const mayWrite = inOrganization(deps, 'org.write');
  return async (app) => {
    app.post(
      path,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addSetupLink',
          summary: `Make a link by which somebody without an account connects a provider; at most ${mostSetupLinks} at once, for 7 days`,
          params: orgParams,
          body: strictObject({ steps }, { examples: [{ steps: ['connection', 'test', 'switchOn'] }] }),
          response: { 201: madeLink, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const editor = editorOf(request);
        const { link, secret } = await addSetupLink(deps, { orgId, editor, steps: request.body.steps });
        const address = `${deps.config.baseUrl}/setup/open?link=${secret}`;
        return reply.code(201).send({ ...toResponse(link), address });
      },
    );
    app.get(
      path,
      {
        onRequest: inOrganization(deps, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'listSetupLinks',
          summary: 'List the set-up links of an organization that have not ended, without their secrets',
          params: orgParams,
          response: { 200: Type.Object({ items: Type.Array(shownLink) }), ...problems(404) },
        },
      },
      async ({ params: { orgId } }) => ({
        items: (await openSetupLinks(deps, orgId)).map(toResponse),
      }),
    );
    app.delete(
      `${path}/:setupLinkId`,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'endSetupLink',
          summary: 'End a set-up link at once. What it connected stays',
          params: Type.Object({
            ...orgParams.properties,
            setupLinkId: Type.String({ minLength: 1, maxLength: 200, description: 'Set-up link' }),
          }),
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { orgId, setupLinkId: id } = request.params;
        await endSetupLink(deps, { orgId, id, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function toResponse(link: SetupLink): Static<typeof shownLink> {
  const { id, steps, createdBy, created, expires, opened, done, domains } = link;
  const { connectionId, serviceUserId } = link;
  return {
    ...{ id, steps: [...steps], createdBy },
    ...{ created: created.toISOString(), expires: expires.toISOString() },
    ...(opened && { opened: opened.toISOString() }),
    done: Object.fromEntries(Object.entries(done).map(([step, at]) => [step, at.toISOString()])),
    ...(domains && { domains: [...domains] }),
    ...(connectionId !== undefined && { connectionId }),
    ...(serviceUserId !== undefined && { serviceUserId }),
  };
}
