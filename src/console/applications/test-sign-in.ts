import { createHash } from 'node:crypto';
import { html } from '#src/http/pages/html.js';
import { newSecret } from '#src/platform/ids.js';
import { clientApi, clientPath } from '../credentials/client.js';
import { buttons, form, formToken } from '../http/form.js';
import { badge, card, emptyList, exact, facts } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import type { ShownApplication } from './application.js';
import { applicationsTexts } from './texts/texts.js';

/** Where a test ends. It only shows what came back. The redirect URIs of the application must have it, exactly. */
const resultPath = '/console/test-sign-in';

/**
 * Begins a sign-in at the application in a new tab. The code that comes back is worth nothing: nobody knows the verifier of its
 * challenge (RFC 7636), and the result page does not show it.
 */
export async function testPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const own = applicationsTexts[language];
  const [organization, application] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownApplication>(clientApi(visit, 'applications')),
  ]);
  const { redirectUris, responseTypes, version } = application;
  const redirectUri = at(resultPath);
  const path = clientPath(visit, 'applications', '/test');
  const isAllowed = redirectUris.includes(redirectUri);
  const allow = (label: string) =>
    form(visit, {
      action: path,
      hidden: { allow: String(!isAllowed) },
      shown: { version: String(version) },
      content: buttons(label),
    });
  const content = !responseTypes.includes('code')
    ? emptyList(own.testNeedsCode)
    : isAllowed
      ? html`${card(own.test, html`<p class="buttons"><a class="button" href="${authorizeAddress(visit, application)}" target="_blank" rel="noopener">${own.testBegin}</a></p>`, { hint: own.testHint })}
${card(own.testEnd, allow(own.testForbid), { hint: html`${own.testForbidHint} ${exact(redirectUri)}` })}`
      : card(own.test, html`<p>${own.testNeedsUri}</p><p>${exact(redirectUri)}</p>${allow(own.testAllow)}`);
  return {
    title: own.test,
    organization,
    crumbs: [
      { href: at(pathOf(visit, '/applications')), label: t.nav.applications },
      { href: at(clientPath(visit, 'applications')), label: application.name },
    ],
    content,
  };
}

function authorizeAddress(visit: ConsoleVisit, { clientId }: ShownApplication): string {
  return visit.at('/oauth/v2/authorize', {
    client_id: clientId,
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: visit.at(resultPath),
    state: formToken(visit.session, resultPath),
    nonce: newSecret(),
    code_challenge: createHash('sha256').update(newSecret()).digest('base64url'),
    code_challenge_method: 'S256',
  });
}

/** Adds the address of the test to the redirect URIs of the application, or removes it. */
export async function allowTest(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = clientApi(visit, 'applications');
  const { redirectUris } = await visit.api.get<ShownApplication>(path);
  const others = redirectUris.filter((uri) => uri !== visit.at(resultPath));
  const wanted = fieldText(visit, 'allow') === 'true' ? [...others, visit.at(resultPath)] : others;
  const body = { redirectUris: wanted, version: Number(fieldText(visit, 'version')) };
  const problem = await refusalOf(() => visit.api.send('PATCH', path, body));
  if (problem === undefined) return { goTo: clientPath(visit, 'applications', '/test') };
  return { ...(await testPage(visit)), refused: { problem } };
}

/** What came back from a test. The values of the code and of tokens are not shown. */
export async function testResultPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { language } = visit;
  const own = applicationsTexts[language];
  const isMine = queryText(visit, 'state') === formToken(visit.session, resultPath);
  const [code, error, description, issuer] = ['code', 'error', 'error_description', 'iss'].map((name) =>
    queryText(visit, name).slice(0, 500),
  ) as [string, string, string, string];
  const worked = isMine && code !== '' && error === '';
  return {
    title: own.testResult,
    content: card(
      worked ? own.testWorked : own.testFailed,
      facts([
        ['state', isMine ? badge(own.testStateRight, 'good') : badge(own.testStateWrong, 'bad')],
        ['code', code !== '' && own.testCode],
        ['error', error !== '' && exact(error)],
        ['error_description', description],
        ['iss', issuer !== '' && exact(issuer)],
      ]),
      { hint: worked ? own.testWorkedHint : own.testFailedHint },
    ),
  };
}
