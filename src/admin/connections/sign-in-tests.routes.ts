import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { connectionErrors } from '#src/connections/index.js';
import { type SignInTest, testLifeMs } from '#src/connections/sign-in/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { problems, security, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { connectionParams } from './connection-schemas.js';

/** What these routes use. */
type Deps = Pick<AdminNeeds, 'caches' | 'clock' | 'config' | 'connections' | 'signInTests'>;

const path = '/orgs/:orgId/connections/:connectionId/sign-in-tests';
const tags = ['connections'];

const begun = Type.Object({
  id: Type.String(),
  address: Type.String({
    description: 'The address at which somebody signs in at the provider. It works for half an hour',
  }),
  expires: timestamp,
});

const text = Type.String();
const result = Type.Object({
  state: Type.Enum(['waiting', 'done']),
  address: Type.Optional(text),
  outcome: Type.Optional(
    Type.Enum(['known', 'linked', 'created', 'refused'], {
      description: 'What the sign-in would come to. Nobody was linked, added or signed in',
    }),
  ),
  reason: Type.Optional(text),
  detail: Type.Optional(text),
  rule: Type.Optional(text),
  userId: Type.Optional(text),
  profile: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The values of the new person',
    }),
  ),
  subject: Type.Optional(text),
  isMultiFactor: Type.Optional(Type.Boolean()),
  claims: Type.Array(
    Type.Object({
      name: text,
      value: text,
      goesTo: Type.Array(text, { description: 'What the claim is read for. Empty: nothing' }),
    }),
    { description: 'What the provider said. At most 100 claims, each cut at 300 characters' },
  ),
  notes: Type.Array(text, { description: 'What an administrator should know although the sign-in may work' }),
  credentialEnds: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When the client secret, or the last certificate of the provider, ends. Present if it has ended or ends within 30 days',
    }),
  ),
});

/** Routes for a test of the sign-in: what the provider says, and what this service would make of it. */
export function signInTestRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      path,
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'beginSignInTest',
          summary: 'Begin a test of the sign-in by a connection. It shows each claim and signs nobody in',
          params: connectionParams,
          response: { 201: begun, ...problems(404, 503) },
        },
      },
      async (request, reply) => {
        const { orgId, connectionId } = request.params;
        await orNotFound(deps.connections.find(orgId, connectionId), connectionErrors.connectionNotFound);
        const created = deps.clock.now();
        const id = await deps.signInTests.begin(
          { orgId, connectionId, created, editor: editorOf(request) },
          (test) =>
            `/console/orgs/${pathSegment(orgId)}/connections/${pathSegment(connectionId)}/sign-in-tests/${test}`,
        );
        const expires = new Date(created.getTime() + testLifeMs).toISOString();
        return reply.code(201).send({ id, address: addressOf(deps, id), expires });
      },
    );
    app.get(
      `${path}/:testId`,
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'getSignInTest',
          summary: 'Read what a test of the sign-in came to',
          params: Type.Object({
            ...connectionParams.properties,
            testId: Type.String({ minLength: 36, maxLength: 36, description: 'The test' }),
          }),
          response: { 200: result, ...problems(404) },
        },
      },
      async ({ params: { orgId, connectionId, testId } }) => {
        const test = await deps.signInTests.find(testId);
        const isOwn = test?.orgId === orgId && test.connectionId === connectionId;
        const found = await orNotFound(
          Promise.resolve(isOwn ? test : undefined),
          connectionErrors.testNotFound,
        );
        return toResponse(found, addressOf(deps, testId));
      },
    );
  };
}

function addressOf({ config }: Pick<Deps, 'config'>, id: string): string {
  return `${config.baseUrl}/login/connection-tests/${id}`;
}

function toResponse({ result: found }: SignInTest, address: string): Static<typeof result> {
  if (found === undefined) return { state: 'waiting', address, claims: [], notes: [] };
  const { claims, notes, profile, ...shown } = found;
  return {
    state: 'done',
    ...shown,
    ...(profile && { profile: { ...profile } }),
    claims: claims.map(({ name, value, goesTo }) => ({ name, value, goesTo: [...goesTo] })),
    notes: [...notes],
  };
}
