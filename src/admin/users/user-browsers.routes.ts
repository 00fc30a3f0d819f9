import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { forgetBrowser, listBrowsers } from '#src/authentication/remembered-browsers/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { RememberedBrowser } from '#src/tokens/remembered-browsers.store.js';
import { inOrganization, overPerson } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, timestamp, userParams } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';

const browserParams = Type.Object({
  ...userParams.properties,
  browserId: Type.String({ minLength: 1, maxLength: 200 }),
});

const rememberedBrowser = Type.Object({
  id: Type.String(),
  remembered: Type.String({
    format: 'date-time',
    description: 'When the user proved the second factor there',
  }),
  provedBy: Type.String({ description: 'The second factor: `code`, `passkey` or `mailCode`' }),
  lastUsed: timestamp,
  expires: timestamp,
  device: Type.Optional(
    Type.Object(
      {
        browser: Type.Optional(Type.String()),
        system: Type.Optional(Type.String({ description: 'Operating system' })),
      },
      { description: 'As far as the browser says' },
    ),
  ),
});

/** Routes for the browsers at which a user needs no second factor: administrators see them and have them forgotten. */
export function userBrowserRoutes(
  deps: Pick<
    AdminNeeds,
    'accounts' | 'caches' | 'clock' | 'events' | 'projectMembers' | 'rememberedBrowsers' | 'users'
  >,
): FastifyPluginAsyncTypebox {
  const path = '/orgs/:orgId/users/:id/remembered-browsers';
  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['users'],
      shown: rememberedBrowser,
      toResponse,
      all: { path, params: userParams },
      one: { path: `${path}/:browserId`, params: browserParams },
    });
    routes.listAll({
      onRequest: inOrganization(deps, 'user.read'),
      operationId: 'listRememberedBrowsers',
      summary: 'List the browsers at which the user needs no second factor, the latest first',
      answer: pageOf(rememberedBrowser),
      async all({ orgId, id }) {
        const account = await deps.accounts.find(orgId, id);
        if (account === undefined) throw new AppError(directoryErrors.userNotFound);
        return listBrowsers(deps, account);
      },
    });
    routes.remove({
      onRequest: [inOrganization(deps, 'user.write'), overPerson(deps, 'change')],
      operationId: 'forgetRememberedBrowser',
      summary:
        'Forget a browser, so that the next sign-in there asks for the second factor. Harmless when it is forgotten. Sessions there go on',
      async run({ browserId, editor, ...target }) {
        await forgetBrowser(deps, { user: await userOfPath(deps, target), browserId, editor });
      },
    });
  };
}

function toResponse({ id, by, proved, used, expires, device }: RememberedBrowser) {
  return {
    id,
    remembered: proved.toISOString(),
    provedBy: by,
    lastUsed: used.toISOString(),
    expires: expires.toISOString(),
    ...(device && { device }),
  };
}
