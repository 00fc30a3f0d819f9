import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { putPasswordPepper, removePasswordPepper } from '#src/authentication/password-pepper/index.js';
import { directoryErrors, maxPepperLength, type PasswordPepper } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { objectRoutes } from '../http/resource-routes.js';
import { orgParams, problems, security, strictObject, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const shown = Type.Object({ created: timestamp });
const pepperBody = strictObject(
  {
    pepper: Type.String({
      minLength: 1,
      maxLength: maxPepperLength,
      description: 'The secret of the former system. No response, export, event or log contains it',
    }),
  },
  { examples: [{ pepper: 'the-pepper-of-the-former-system' }] },
);

const tags = ['password pepper'];
const path = '/orgs/:orgId/password-pepper';

/** Routes for the secret that the former system of an organization hashed together with each password. */
export function passwordPepperRoutes(
  deps: Pick<
    AdminNeeds,
    'caches' | 'clock' | 'events' | 'logos' | 'mongo' | 'organizations' | 'pepperSealer' | 'quotas'
  >,
): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    const routes = objectRoutes(app, { tags, path, params: orgParams, shown, toResponse });
    routes.get({
      onRequest: mayRead,
      operationId: 'getPasswordPepper',
      summary: 'Read when the pepper was set, but not the pepper',
      find: async ({ orgId }) => {
        const { passwordPepper } = await requireOrganization(deps.organizations.find, orgId);
        if (!passwordPepper) throw new AppError(directoryErrors.passwordPepperNotFound);
        return passwordPepper;
      },
    });
    app.put(
      path,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'putPasswordPepper',
          summary: 'Set the pepper of imported password hashes',
          description:
            'Only hashes that say so are compared with it (`/docs/password-hashes`). With a wrong pepper, no password matches',
          params: orgParams,
          body: pepperBody,
          response: { 200: shown, ...problems(400, 404) },
        },
      },
      async (request) => {
        const put = { ...request.params, ...request.body, editor: editorOf(request) };
        return toResponse(await putPasswordPepper(deps, put));
      },
    );
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removePasswordPepper',
      summary: 'Remove the pepper. People whose hash needs it then set a new password',
      run: (target) => removePasswordPepper(deps, target),
    });
  };
}

function toResponse({ created }: PasswordPepper) {
  return { created: created.toISOString() };
}
