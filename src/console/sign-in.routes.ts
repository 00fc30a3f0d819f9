import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { consoleCallbackPath, consoleClientId } from '#src/clients/applications/index.js';
import { forgetConfirmation } from '#src/http/auth/confirmation.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { pageLanguage } from '#src/http/base/language.js';
import { html, withoutTraces } from '#src/http/pages/html.js';
import { showPage } from '#src/http/pages/page-frame.js';
import { AppError } from '#src/platform/errors.js';
import {
  beginConsoleSession,
  endConsoleSession,
  hasExpired,
  readConsoleSession,
  takeSignIn,
  userIdOf,
} from './http/console-session.js';
import { consoleErrors } from './http/errors.js';
import { consolePages } from './http/pages.js';
import type { PageDeps } from './http/serve-page.js';
import { beginSignIn } from './http/sign-in.js';
import { type ConsoleVisit, queryText } from './http/visit.js';
import { consoleTexts } from './texts/texts.js';

/** Signs people in to the console, as any client of the authorization code flow does (OpenID Connect Core section 3.1). */
export function consoleSignInRoutes(deps: PageDeps): FastifyPluginAsync {
  const { baseUrl } = deps.config;
  return async (app) => {
    app.get(
      consoleCallbackPath,
      { config: { page: true }, schema: { hide: true } },
      async (request, reply) => {
        const begun = takeSignIn(deps, { request, reply });
        const [code, state] = ['code', 'state'].map((name) => queryText({ request }, name));
        // Another tab may have begun a sign-in since. The session that exists now serves this one too.
        if (begun === undefined || begun.state !== state)
          return withoutTraces(reply).redirect(`${baseUrl}/console`, 303);
        forgetConfirmation(deps, reply);
        if (code === undefined || code === '') {
          const failure = queryText({ request }, 'error');
          if (failure === 'login_required') return otherPersonPage(deps, { request, reply });
          if (failure === 'access_denied' && begun.cancelTo !== undefined)
            return withoutTraces(reply).redirect(`${baseUrl}${begun.cancelTo}`, 303);
          const detail = queryText({ request }, 'error_description').slice(0, 500);
          throw new AppError(consoleErrors.signInFailed, detail === '' ? {} : { detail });
        }
        const answer = await app.inject({
          method: 'POST',
          url: '/oauth/v2/token',
          remoteAddress: request.ip,
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': request.id },
          payload: new URLSearchParams({
            grant_type: 'authorization_code',
            code,
            redirect_uri: `${baseUrl}${consoleCallbackPath}`,
            client_id: consoleClientId,
            code_verifier: begun.codeVerifier,
          }).toString(),
        });
        if (answer.statusCode !== 200) throw new AppError(consoleErrors.signInFailed);
        const { access_token: accessToken, id_token: idToken, expires_in: expiresIn } = answer.json();
        // The authorization endpoint lets nobody else through. Without this check a fault there would hand one person the page of another.
        if (begun.userId !== undefined && userIdOf({ idToken }) !== begun.userId)
          throw new AppError(consoleErrors.signInFailed);
        beginConsoleSession(deps, { request, reply }, { accessToken, idToken, expiresIn });
        return withoutTraces(reply).redirect(`${baseUrl}${begun.to}`, 303);
      },
    );

    app.get(
      '/console/switch-account',
      { config: { page: true }, schema: { hide: true } },
      async (_request, reply) => beginSignIn(deps, reply, { to: '/console', selectAccount: true }),
    );

    app.get('/console/enter', { config: { page: true }, schema: { hide: true } }, async (request, reply) =>
      enter(deps, { request, reply }),
    );

    const pages = consolePages(app, deps, 'anyone');

    /** Ends the access token here, and leads to the end of the session (OpenID Connect RP-Initiated Logout). */
    const signOut = async (visit: ConsoleVisit) => {
      const { request, reply, session } = visit;
      await app.inject({
        method: 'POST',
        url: '/oauth/v2/revoke',
        remoteAddress: request.ip,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ token: session.accessToken, client_id: consoleClientId }).toString(),
      });
      endConsoleSession(deps, reply);
      const query = { id_token_hint: session.idToken, post_logout_redirect_uri: visit.at('/console') };
      return { goTo: `/oidc/v1/end_session?${new URLSearchParams(query)}` };
    };
    pages.post('/console/sign-out', signOut, { shownAt: '/console', returns: 'nothing' });
  };
}

/**
 * Opens the console for the person whom the address names, and who is signed in at this browser. The browser may have the console open for
 * another person, as the administrator's who tries an invitation. Without a person it opens for whoever is signed in.
 */
function enter(deps: Parameters<typeof beginSignIn>[0], { request, reply }: HttpExchange): FastifyReply {
  const userId = queryText({ request }, 'user');
  const session = readConsoleSession(deps, request);
  const isOpen = session !== undefined && !hasExpired(deps, session) && userIdOf(session) === userId;
  if (isOpen || userId === '' || userId.length > longestUserId) {
    return withoutTraces(reply).redirect(`${deps.config.baseUrl}/console`, 303);
  }
  return beginSignIn(deps, reply, { to: '/console', userId });
}

/**
 * The page for a person who signed in while the console waited for another one at this browser. Nothing that the other one began is done or
 * shown. The request of the console asks for nothing else that leads to `login_required`.
 */
function otherPersonPage({ config: { baseUrl } }: PageDeps, { request, reply }: HttpExchange): FastifyReply {
  const language = pageLanguage(request);
  const t = consoleTexts[language];
  const content = html`<p><a class="button full" href="${baseUrl}/console/switch-account">${t.switchAccount}</a></p>
<p class="links"><a href="${baseUrl}/account">${t.myAccount}</a></p>`;
  const { title, text: subtitle } = t.otherPerson;
  return showPage(reply.code(403), { baseUrl, language }, { title, subtitle, content });
}

/** The longest identifier of a user, in characters. */
const longestUserId = 255;
