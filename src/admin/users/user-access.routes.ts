import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  mailOneTimeLink,
  makeOneTimeLink,
  requirePasswordChange,
  unlockUser,
} from '#src/authentication/index.js';
import { changeTotp } from '#src/authentication/second-factor/index.js';
import { editorOf, inOrganization, overPerson } from '../http/caller.js';
import type { Hook } from '../http/describe-callers.js';
import type { RouteScope } from '../http/resource-routes.js';
import { noContent, problems, security, strictObject, timestamp, userParams } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { linkDelivery, shownLink } from '../sign-in/link-delivery.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'ableOwners'
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'mailLink'
  | 'mongo'
  | 'oneTimeLinks'
  | 'projectMembers'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'users'
>;

const oneTimeLink = Type.Object({ url: Type.String(), expires: timestamp }, { title: 'OneTimeLink' });
const nothing = strictObject({}, { examples: [{}] });
const linkBody = strictObject(
  { delivery: linkDelivery('`answer` returns the link. `mail` sends it to the user, and returns 204') },
  { examples: [{}] },
);

const tags = ['users'];

/** What administrators read of a removal that is refused. */
export const keepsOwner =
  'A factor without which no owner could sign in stays. Make a one-time link for the owner first, so that the owner sets up another factor';

/** Routes for what a user signs in with: one-time links, locks and the second factor. */
export function userAccessRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const onRequest = [inOrganization(deps, 'user.write'), overPerson(deps, 'credentials')];
  const common = { tags, security, params: userParams };
  const done = { 204: noContent, ...problems(404) };

  return async (app) => {
    addLinkRoute(app, deps, onRequest);
    app.post(
      '/orgs/:orgId/users/:id/require-password-change',
      {
        onRequest,
        schema: {
          ...common,
          operationId: 'requirePasswordChange',
          summary: 'Make the user choose another password at the next login',
          body: nothing,
          response: done,
        },
      },
      async (request, reply) => {
        await requirePasswordChange(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
    app.post(
      '/orgs/:orgId/users/:id/unlock',
      {
        onRequest,
        schema: {
          ...common,
          operationId: 'unlockUser',
          summary: 'Unlock the user: forget the failed sign-ins',
          body: nothing,
          response: done,
        },
      },
      async (request, reply) => {
        await unlockUser(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
    app.delete(
      '/orgs/:orgId/users/:id/totp',
      {
        onRequest,
        schema: {
          ...common,
          operationId: 'removeTotp',
          summary:
            'Remove the second factor of a user who lost it, and end every session and token of the user',
          description: keepsOwner,
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        await changeTotp(deps, { ...request.params, totp: undefined, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function addLinkRoute(app: RouteScope, deps: Deps, onRequest: Hook[]): void {
  app.post(
    '/orgs/:orgId/users/:id/one-time-links',
    {
      onRequest,
      schema: {
        tags,
        security,
        operationId: 'addOneTimeLink',
        summary:
          'Make a link with which the user sets a password, once and within 24 hours; earlier links stop working',
        params: userParams,
        body: linkBody,
        response: { 201: oneTimeLink, 204: noContent, ...problems(404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { orgId, id: userId } = request.params;
      const of = { orgId, userId, editor: editorOf(request) };
      if (request.body.delivery === 'mail') {
        await mailOneTimeLink(deps, of);
        return reply.code(204).send(null);
      }
      const link = await makeOneTimeLink(deps, of);
      return reply.code(201).send(shownLink(deps.config, link));
    },
  );
}
