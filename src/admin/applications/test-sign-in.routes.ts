import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import type { Application } from '#src/clients/applications/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { inOrganization, overApplication } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { applicationParams, problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const sources = [
  'protocol',
  'application',
  'person',
  'profile',
  'attribute',
  'group',
  'role',
  'organization',
] as const;

const claim = Type.Object(
  {
    name: Type.String(),
    value: Type.Unknown(),
    source: Type.Enum(sources, { description: 'Where the claim comes from' }),
    scope: Type.Optional(Type.String({ description: 'The scope that brought it' })),
  },
  { title: 'SeenClaim' },
);

const tested = Type.Object(
  {
    scope: Type.String({ description: 'Space-delimited' }),
    idToken: Type.Array(claim),
    userinfo: Type.Array(claim),
    accessToken: Type.Object({
      form: Type.Enum(['opaque', 'jwt']),
      audience: Type.Array(Type.String()),
      claims: Type.Array(claim, { description: 'The content of a JWT. Empty for an opaque token' }),
      introspection: Type.Array(claim, {
        description: 'What introspection answers to an API in the audience',
      }),
      elsewhere: Type.Object(
        {
          answer: Type.Unknown(),
          reason: Type.Optional(Type.String({ description: 'As in the log of that API' })),
        },
        { description: 'What introspection answers to an API that is not in the audience' },
      ),
    }),
  },
  {
    title: 'TestedSignIn',
    description: 'What the application would get. No token is shown, and all are revoked',
  },
);

const body = strictObject(
  {
    code: Type.String({ minLength: 1, maxLength: 200 }),
    codeVerifier: Type.String({
      minLength: 43,
      maxLength: 128,
      description: 'Of the S256 challenge with which the test began (RFC 7636)',
    }),
    redirectUri: Type.String({ minLength: 1, maxLength: 2_000 }),
  },
  {
    examples: [
      {
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        redirectUri: 'https://id.example.com/console/test-sign-in',
      },
    ],
  },
);

/** Redeems the code of a test, and tells what the application would get, or in words why it gets nothing. */
export type ReadTestSignIn = (
  application: Application,
  tested: Static<typeof body>,
) => Promise<TestedClaims | { readonly refused: string }>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
type TestedClaims = DeepReadonly<Static<typeof tested>>;

/** The route that ends a test of the sign-in at an application. */
export function testSignInRoutes(
  deps: Pick<AdminNeeds, 'applications' | 'caches'>,
  testSignIn: ReadTestSignIn,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/orgs/:orgId/applications/:id/test-sign-in',
      {
        onRequest: [inOrganization(deps, 'org.write'), overApplication(deps)],
        schema: {
          tags: ['applications'],
          security,
          operationId: 'testSignIn',
          summary: 'Redeem a code of the application, and read the claims that it would get',
          params: applicationParams,
          body,
          response: { 200: tested, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, id } = request.params;
        const found = await orNotFound(
          deps.applications.find(orgId, id),
          directoryErrors.applicationNotFound,
        );
        const seen = await testSignIn(found, request.body);
        if ('refused' in seen) throw new AppError(directoryErrors.valueInvalid, { detail: seen.refused });
        return seen as Static<typeof tested>;
      },
    );
  };
}
