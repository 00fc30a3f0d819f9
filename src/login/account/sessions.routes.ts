import type { FastifyPluginAsync } from 'fastify';
import { forgetBrowser } from '#src/authentication/remembered-browsers/index.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { signOut } from '#src/sessions/sign-out.js';
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
  | 'events'
  | 'groupMembers'
  | 'refreshTokens'
  | 'rememberedBrowsers'
  | 'sessions'
>;

/** The forms in which a person ends one of the own sessions, and has a browser forgotten that needs no second factor. */
export function ownSessionRoutes(deps: Deps): FastifyPluginAsync {
  const login = loginToAccount(deps);
  return async (app) => {
    app.post('/account/sessions/end', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'end-session');
      if (member === undefined) return goTo(reply, login);
      const sessionId = formText(request.body, 'ended');
      await signOut(deps, { userId: member.account.user.id, sessionId });
      return sessionId === member.session.id
        ? goTo(reply, login)
        : goToAccount(deps, reply, { session: member.session, done: 'sessionEnded' });
    });

    app.post('/account/browsers/forget', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'forget-browser');
      if (member === undefined) return goTo(reply, login);
      const { user } = member.account;
      const editor = { userId: user.id, service: 'account' };
      await forgetBrowser(deps, { user, browserId: formText(request.body, 'browser'), editor });
      return goToAccount(deps, reply, { session: member.session, done: 'browserForgotten' });
    });
  };
}
