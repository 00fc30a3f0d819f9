import type { FastifyPluginAsync } from 'fastify';
import { revokeConsent } from '#src/clients/consents/index.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { loginToAccount } from '../http/to-account.js';
import type { LoginNeeds } from '../needs/needs.js';
import { readMemberPost } from './http/member.js';
import { goToAccount } from './http/show-account.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'events'
  | 'groupMembers'
  | 'mongo'
  | 'refreshTokens'
  | 'serviceUsers'
  | 'sessions'
  | 'users'
>;

/** The form in which a person takes access away from an application. */
export function ownConsentRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.post('/account/consents/remove', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'revoke-consent');
      if (member === undefined) return goTo(reply, loginToAccount(deps));
      const { user } = member.account;
      const clientId = formText(request.body, 'clientId');
      await revokeConsent(deps, { user, clientId, editor: { userId: user.id, service: 'account' } });
      return goToAccount(deps, reply, { session: member.session, done: 'consentRevoked' });
    });
  };
}
