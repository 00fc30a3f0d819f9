import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { previewAnswer } from '#src/connections/identities/index.js';
import { connectionErrors } from '#src/connections/index.js';
import { mappedAttributes, requireClaimNames, requireMapping } from '#src/connections/registry/index.js';
import { refusedValue } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { problems, security, strictObject, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { claimNamesToRead, connectionParams, mappingChange } from './connection-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'connections'
  | 'events'
  | 'identityLinks'
  | 'lastClaims'
  | 'organizations'
  | 'projectMembers'
>;

const asked = strictObject(
  {
    mapping: Type.Optional(mappingChange),
    claimNames: Type.Optional(claimNamesToRead),
    // As a text, because members of bodies may be in snake_case here, and claims are so.
    claims: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 20_000,
        description:
          'The claims to try, as a JSON object with `sub`. Absent: those of the last sign-in, of the last 24 hours',
      }),
    ),
  },
  { examples: [{ claims: '{"sub":"42","name":"Anna Lind","groups":["a1b2"]}' }] },
);

const text = Type.String();
const preview = Type.Object({
  outcome: Type.Enum(['known', 'provisioned', 'domain', 'asked', 'created', 'refused', 'ambiguous'], {
    description:
      'Who would sign in. known, provisioned, domain: userId. asked: whoever proves an account. created: somebody new. refused, ambiguous: nobody',
  }),
  reason: Type.Optional(
    Type.String({
      description: 'Why userId would be refused: inactive, or roleOutside. Absent if nobody is known',
    }),
  ),
  userId: Type.Optional(text),
  time: Type.Optional(timestamp),
  claims: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  values: Type.Record(Type.String(), text, {
    description: `What a new person would get, after the rules for values: ${mappedAttributes.join(', ')}`,
  }),
  joins: Type.Array(text, { description: 'Groups of which the person would be a member' }),
  leaves: Type.Array(text, { description: 'Groups of which the person would be none' }),
  leftOut: Type.Array(text, {
    description:
      'Claims that the provider left out because they are too long. Groups of them stay as they are',
  }),
});

/** Routes that say what an answer of a provider would do. */
export function connectionPreviewRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/orgs/:orgId/connections/:connectionId/preview',
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags: ['connections'],
          security,
          operationId: 'previewConnection',
          summary:
            'Say what a sign-in would do: who it is, which values and which groups. Nothing is written',
          params: connectionParams,
          body: asked,
          response: { 200: preview, ...problems(400, 404) },
        },
      },
      async ({ params: { orgId, connectionId }, body }) => {
        const [organization, stored] = await Promise.all([
          requireOrganization(deps.organizations.find, orgId),
          orNotFound(deps.connections.find(orgId, connectionId), connectionErrors.connectionNotFound),
        ]);
        const connection = {
          ...stored,
          claims: requireClaimNames(body.claimNames ?? stored.claims),
          mapping: requireMapping({ ...stored.mapping, ...body.mapping }),
        };
        const last = body.claims === undefined ? await deps.lastClaims.find(connectionId) : undefined;
        const claims = body.claims === undefined ? last?.claims : claimsIn(body.claims);
        if (claims === undefined) throw new AppError(connectionErrors.noLastSignIn);
        const subject = last?.subject ?? (typeof claims['sub'] === 'string' ? claims['sub'] : '');
        const { profile, ...previewed } = await previewAnswer(deps, {
          connection,
          organization,
          subject,
          claims,
        });
        return {
          ...previewed,
          ...(last && { time: last.time.toISOString() }),
          claims: { ...claims },
          values: valuesOf(profile),
          joins: [...previewed.joins],
          leaves: [...previewed.leaves],
          leftOut: [...previewed.leftOut],
        };
      },
    );
  };
}

/** @throws AppError `directory.valueInvalid` unless the text is a JSON object */
function claimsIn(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // It is refused below.
  }
  throw refusedValue('claims', 'malformed', 'claims is no JSON object');
}

type Profile = Awaited<ReturnType<typeof previewAnswer>>['profile'];

/** The values by the names of the table. */
function valuesOf({ userName, name, displayName, emails, phoneNumbers, ...texts }: Profile) {
  const { preferredLanguage, locale, timezone, title, department, roles, entitlements } = texts;
  const joined = (list: typeof roles) => list?.map(({ value }) => value).join(', ');
  const values = {
    ...{ userName, displayName, preferredLanguage, locale, timezone, title, department },
    givenName: name?.givenName,
    familyName: name?.familyName,
    email: emails?.[0]?.value,
    phoneNumber: phoneNumbers?.[0]?.value,
    roles: joined(roles),
    entitlements: joined(entitlements),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([attribute, value]) => (value === undefined ? [] : [[attribute, value]])),
  );
}
