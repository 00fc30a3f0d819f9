import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  putMigrationHook,
  removeMigrationHook,
  tryMigrationHook,
} from '#src/authentication/migration-hook/index.js';
import {
  directoryErrors,
  hookAddress,
  hookTimeouts,
  type MigrationHook,
  maxTypedPassword,
} from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { objectRoutes } from '../http/resource-routes.js';
import { orgParams, problems, security, shapedText, strictObject, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const timeoutMilliseconds = Type.Integer({
  minimum: hookTimeouts.least,
  maximum: hookTimeouts.most,
  description: 'The longest time of one question. Every failed sign-in takes this much longer',
});
const shown = {
  url: Type.String(),
  timeoutMilliseconds,
  created: timestamp,
};
const hook = Type.Object(shown);
const hookWithSecret = Type.Object({
  ...shown,
  secret: Type.Optional(
    Type.String({ description: 'The key of the signatures, only in the answer to the request that made it' }),
  ),
});
const tested = Type.Object({
  outcome: Type.Unsafe<'confirmed' | 'refused' | 'failed'>({
    type: 'string',
    enum: ['confirmed', 'refused', 'failed'],
  }),
  reason: Type.Optional(
    Type.String({ description: 'Why a sign-in would not ask the hook, or would not take its answer' }),
  ),
  userName: Type.Optional(Type.String({ description: 'The person that the hook confirmed' })),
});

const hookBody = strictObject(
  {
    url: shapedText(2_000, hookAddress, 'An https address with a public host'),
    timeoutMilliseconds: Type.Optional(timeoutMilliseconds),
    renewSecret: Type.Optional(Type.Boolean()),
  },
  { examples: [{ url: 'https://people.example.com/confirm', timeoutMilliseconds: 2000 }] },
);
const questionBody = strictObject(
  {
    loginName: Type.String({ minLength: 1, maxLength: 400 }),
    password: Type.String({ minLength: 1, maxLength: maxTypedPassword }),
  },
  { examples: [{ loginName: 'anna.lind', password: 'Correct-Horse-7' }] },
);

const tags = ['migration hook'];
const path = '/orgs/:orgId/migration-hook';

/** Routes for the former service of an organization, which confirms passwords of people who sign in for the first time. */
export function migrationHookRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'hookSealer' | 'organizations' | 'quotas'> &
    Parameters<typeof putMigrationHook>[0] &
    Parameters<typeof tryMigrationHook>[0],
): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const stored = async (orgId: string) => {
    const organization = await requireOrganization(deps.organizations.find, orgId);
    const { migrationHook } = organization;
    if (!migrationHook) throw new AppError(directoryErrors.migrationHookNotFound);
    return { ...organization, migrationHook };
  };

  return async (app) => {
    const routes = objectRoutes(app, { tags, path, params: orgParams, shown: hook, toResponse });
    routes.get({
      onRequest: mayRead,
      operationId: 'getMigrationHook',
      summary: 'Read the migration hook, without its secret',
      find: async ({ orgId }) => (await stored(orgId)).migrationHook,
    });
    app.put(
      path,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'putMigrationHook',
          summary: 'Set the service that confirms passwords of people who have none here',
          description:
            'It gets the passwords that people type. The secret is shown when it is made, and stays until renewSecret',
          params: orgParams,
          body: hookBody,
          response: { 200: hookWithSecret, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { timeoutMilliseconds: timeoutMs, ...body } = request.body;
        const put = { ...request.params, ...body, timeoutMs, editor: editorOf(request) };
        const { hook, secret } = await putMigrationHook(deps, put);
        return { ...toResponse(hook), ...(secret !== undefined && { secret }) };
      },
    );
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeMigrationHook',
      summary: 'Remove the migration hook and its secret',
      run: (target) => removeMigrationHook(deps, target),
    });
    app.post(
      `${path}/test`,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'testMigrationHook',
          summary:
            'Say what a sign-in would say that asks the migration hook. Nothing is written and nobody is signed in',
          params: orgParams,
          body: questionBody,
          response: { 200: tested, ...problems(400, 404) },
        },
      },
      async (request) => {
        const organization = await stored(request.params.orgId);
        return answerToResponse(await tryMigrationHook(deps, { organization, ...request.body }));
      },
    );
  };
}

function answerToResponse(answer: Awaited<ReturnType<typeof tryMigrationHook>>) {
  if (answer.kind === 'failed') return { outcome: 'failed' as const, reason: answer.reason };
  if (answer.kind === 'refused') return { outcome: 'refused' as const };
  return { outcome: 'confirmed' as const, userName: answer.profile.userName };
}

function toResponse({ url, timeoutMs, created }: MigrationHook) {
  return { url, timeoutMilliseconds: timeoutMs, created: created.toISOString() };
}
