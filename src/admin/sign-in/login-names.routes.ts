import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { findNameHolders, type NameHolder } from '#src/authentication/index.js';
import { onInstance } from '../http/caller.js';
import { problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const holder = Type.Object({
  orgId: Type.String(),
  orgName: Type.Optional(
    Type.String({
      description: 'Absent if the organization is being removed; nobody of it can sign in',
    }),
  ),
  userId: Type.String(),
  userName: Type.String(),
  displayName: Type.String(),
  active: Type.Boolean(),
});

const holders = Type.Object({
  meant: Type.Optional(
    Type.Object(
      { orgId: Type.String(), userId: Type.String() },
      { description: 'Absent if the name means nobody: it is unknown, or ambiguous' },
    ),
  ),
  holders: Type.Array(holder, {
    description: 'Some twenty of those with the name, the one who is meant first',
  }),
});

/** The route that says whom a login name means. */
export function loginNameRoutes(
  deps: Pick<AdminNeeds, 'accounts' | 'caches' | 'organizations'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/login-names/_search',
      {
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['users'],
          security,
          operationId: 'searchLoginNames',
          summary: 'Find whom a login name means at the login page, and who has it in all organizations',
          body: strictObject(
            { loginName: Type.String({ minLength: 1, maxLength: 400, description: 'As a person types it' }) },
            { examples: [{ loginName: 'anna.lind@northwind.example' }] },
          ),
          response: { 200: holders, ...problems(400) },
        },
      },
      async (request) => {
        const found = await findNameHolders(deps, request.body.loginName);
        const { meant } = found;
        return {
          ...(meant && { meant: { orgId: meant.orgId, userId: meant.id } }),
          holders: found.holders.map(toResponse),
        };
      },
    );
  };
}

function toResponse({ user, organization }: NameHolder) {
  return {
    orgId: user.orgId,
    ...(organization && { orgName: organization.name }),
    userId: user.id,
    userName: user.userName,
    displayName: user.displayName,
    active: user.active,
  };
}
