import type { FastifyPluginAsync } from 'fastify';
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
  'accounts' | 'authorizationRequests' | 'caches' | 'config' | 'refreshTokens' | 'sessions'
>;

/** The form in which a person ends one of the own sessions. */
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
  };
}
