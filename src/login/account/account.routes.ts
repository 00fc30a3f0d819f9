import type { FastifyPluginAsync } from 'fastify';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { readRefusal } from '../http/refused-form.js';
import { loginToAccount } from '../http/to-account.js';
import type { LoginNeeds } from '../needs/needs.js';
import { readSignedInMember } from './http/member.js';
import { showAccount } from './http/show-account.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'applications'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'groupMembers'
  | 'identityLinks'
  | 'mailer'
  | 'refusedFormSealer'
  | 'rememberedBrowsers'
  | 'sessions'
  | 'webauthnCredentials'
>;

/** Forms of the account page that have no page of their own. */
const forms = ['profile', 'password', 'sessions/end', 'browsers/forget', 'consents/remove'];

/** The account page, where people change their profile and password and see their sessions. */
export function accountRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/account', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, loginToAccount(deps));
      const { done } = member.visit.texts;
      const name = formText(request.query, 'done');
      const notice = Object.hasOwn(done, name) ? done[name as keyof typeof done] : undefined;
      const { visit } = member;
      const refusal = readRefusal(deps, { request, reply }, { visit, path: '/account' });
      const { errors = {}, typed = {}, alert } = refusal ?? {};
      const messages = { notice, errors, typed, ...(alert !== undefined && { alert }) };
      return showAccount(deps, { reply }, { member, ...messages });
    });

    // Password managers know this address (A Well-Known URL for Changing Passwords, section 4).
    app.get('/.well-known/change-password', (_request, reply) => goTo(reply, pageAddress(deps, '/account')));

    // A page about an error is shown at the address of its POST, and the person may open it again as a GET.
    for (const form of forms) {
      app.get(`/account/${form}`, (_request, reply) => goTo(reply, pageAddress(deps, '/account')));
    }
  };
}
