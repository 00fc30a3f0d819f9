import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { openSetupLink } from '#src/connections/setup/index.js';
import { ensureAgent, readAgent } from '#src/http/auth/agent-cookie.js';
import { isCsrfToken } from '#src/http/auth/csrf.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { pageLanguage } from '#src/http/base/language.js';
import { form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { showPage } from '#src/http/pages/page-frame.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../http/errors.js';
import { connectProvider } from './http/connect-provider.js';
import { connectProvisioning } from './http/connect-provisioning.js';
import { connectSaml, metadataFormBytes } from './http/connect-saml.js';
import { nameDomain, proveDomain } from './http/prove-domains.js';
import { showSetup } from './http/setup-page.js';
import { readSetupVisit, rememberSetup, servingDeps } from './http/setup-session.js';
import { switchOn } from './http/switch-on.js';
import { beginSetupTest, readTest } from './http/try-sign-in.js';
import { setupTexts } from './texts/texts.js';

type Deps = Parameters<typeof showSetup>[0] &
  Parameters<typeof servingDeps>[0] &
  Omit<Parameters<typeof openSetupLink>[0], 'mayChange' | 'stands'> &
  Parameters<typeof connectProvider>[0] &
  Parameters<typeof connectSaml>[0] &
  Parameters<typeof connectProvisioning>[0] &
  Parameters<typeof proveDomain>[0] &
  Parameters<typeof beginSetupTest>[0] &
  Parameters<typeof readTest>[0] &
  Parameters<typeof switchOn>[0] &
  Parameters<typeof ensureAgent>[0];

/** The longest time for which a browser keeps its secret, in seconds. The link may end before. */
const keptSeconds = 7 * 24 * 3_600;

/**
 * `/setup`: what somebody of the customer's own IT does with a set-up link. The link says for whom and for which steps. A GET changes nothing, so that
 * a program that reads mail opens no link.
 */
export function setupRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/setup/open', (request, reply) => askToOpen(deps, { request, reply }));
    app.post('/setup/open', { config: { heavy: 'sign-in' } }, (request, reply) =>
      open(deps, { request, reply }),
    );
    app.get('/setup', async (request, reply) => {
      const visit = await readSetupVisit(deps, request);
      const testId = formText(request.query, 'test');
      const test = testId === '' ? undefined : await readTest(deps, visit.link, testId);
      return showSetup(deps, { reply }, test === undefined ? visit : await readSetupVisit(deps, request), {
        template: formText(request.query, 'template'),
        saml: formText(request.query, 'saml'),
        ...{ test, testAddress: pageAddress(deps, `/login/connection-tests/${testId}`) },
      });
    });
    app.post('/setup/domain', (request, reply) => nameDomain(deps, { request, reply }));
    app.post('/setup/domain/check', (request, reply) => proveDomain(deps, { request, reply }));
    app.post(
      '/setup/saml',
      { bodyLimit: metadataFormBytes, config: { heavy: 'sign-in' } },
      (request, reply) => connectSaml(deps, { request, reply }),
    );
    app.post('/setup/connection', (request, reply) => connectProvider(deps, { request, reply }));
    app.post('/setup/provisioning', (request, reply) => connectProvisioning(deps, { request, reply }));
    app.post('/setup/test', (request, reply) => beginSetupTest(deps, { request, reply }));
    app.post('/setup/switch-on', (request, reply) => switchOn(deps, { request, reply }));
  };
}

const openPurpose = 'setup open';

/** It says the same for every link, so that it tells nobody which one is good. */
async function askToOpen(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const language = pageLanguage(request);
  const t = setupTexts[language];
  const agent = ensureAgent(deps, request, reply);
  const action = pageAddress(deps, '/setup/open');
  const hidden = { link: formText(request.query, 'link') };
  const content = html`<p>${t.openText}</p>${form({ action, agent, purpose: openPurpose, hidden, content: submit(t.open) })}`;
  const look = { baseUrl: deps.config.baseUrl, language };
  return showPage(reply, look, { title: t.title, content });
}

async function open(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  if (!isCsrfToken(formText(request.body, 'csrf'), readAgent(deps, request), openPurpose))
    throw new AppError(loginErrors.formExpired);
  const browserSecret = await openSetupLink(
    { ...deps, ...servingDeps(deps), setupLinks: deps.setupLinks },
    formText(request.body, 'link'),
  );
  if (browserSecret === undefined) throw new AppError(loginErrors.setupEnded);
  rememberSetup(deps, reply, browserSecret, keptSeconds);
  return goTo(reply, pageAddress(deps, '/setup'));
}
