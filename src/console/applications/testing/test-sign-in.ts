import { createHash } from 'node:crypto';
import { html } from '#src/http/pages/html.js';
import { newSecret } from '#src/platform/ids.js';
import { clientApi, clientPath } from '../../credentials/client.js';
import { buttons, checkbox, form } from '../../http/form.js';
import { noticeOf } from '../../http/notice-of.js';
import { card, emptyList, exact } from '../../http/parts.js';
import { refusalOf } from '../../http/refused.js';
import type { ConsolePage, GoTo } from '../../http/respond.js';
import { type ConsoleVisit, fieldText, fieldValues, param, queryText } from '../../http/visit.js';
import type { ShownApplication } from '../../resources/application.js';
import { organizationOf, pathOf } from '../../resources/organization-of.js';
import { beginTest, resultPath } from './begun-test.js';
import { testTexts } from './texts/texts.js';

/** Scopes that a test can ask for besides `openid`. The first two are chosen at first. */
const scopes = [
  'profile',
  'email',
  'phone',
  'address',
  'groups',
  'urn:service:iam:org:projects:roles',
  'urn:service:iam:user:resourceowner',
  'urn:service:iam:user:enterprise',
  'urn:service:iam:user:extensions',
] as const;

/** Asks for the scopes of a test. Its sign-in ends at the console, which shows the claims that the application would get. */
export async function testPage(
  visit: ConsoleVisit,
  changed: Pick<ConsolePage, 'refused'> = {},
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const [organization, application] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownApplication>(clientApi(visit, 'applications')),
  ]);
  return {
    title: testTexts[language].test,
    organization,
    crumbs: [
      { href: at(pathOf(visit, '/applications')), label: t.nav.applications },
      { href: at(clientPath(visit, 'applications')), label: application.name },
    ],
    content: application.responseTypes.includes('code')
      ? testForms(visit, application)
      : emptyList(testTexts[language].needsCode),
    ...noticeOf(visit, queryText(visit, 'done')),
    ...changed,
  };
}

function testForms(visit: ConsoleVisit, { redirectUris, version }: ShownApplication) {
  const texts = testTexts[visit.language];
  const redirectUri = visit.at(resultPath);
  const isAllowed = redirectUris.includes(redirectUri);
  const action = clientPath(visit, 'applications', '/test');
  const shown = { version: String(version) };
  const chosen = fieldValues(visit, 'scopes');
  const asked = form(visit, {
    action,
    hidden: { act: 'begin' },
    shown,
    content: html`<fieldset><legend>${texts.scopes}</legend>${scopes.map((scope, index) =>
      checkbox({
        name: 'scopes',
        value: scope,
        label: scope,
        isChecked: chosen.length === 0 ? index < 2 : chosen.includes(scope),
      }),
    )}</fieldset>
${!isAllowed && html`<p>${texts.needsUri} ${exact(redirectUri)}</p>`}
${buttons(isAllowed ? texts.begin : texts.allowAndBegin)}`,
  });
  const end = form(visit, { action, hidden: { act: 'forbid' }, shown, content: buttons(texts.forbid) });
  return html`${card(texts.test, asked, { hint: texts.hint })}
${isAllowed && card(texts.end, end, { hint: html`${texts.forbidHint} ${exact(redirectUri)}` })}`;
}

/** Begins a test, for which the application must allow the address of its result. Or takes that address from the application. */
export async function runTest(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = clientApi(visit, 'applications');
  const application = await visit.api.get<ShownApplication>(path);
  const redirectUri = visit.at(resultPath);
  const { redirectUris } = application;
  const begins = fieldText(visit, 'act') === 'begin';
  if (redirectUris.includes(redirectUri) !== begins) {
    const others = redirectUris.filter((uri) => uri !== redirectUri);
    const wanted = begins ? [...others, redirectUri] : others;
    const body = { redirectUris: wanted, version: Number(fieldText(visit, 'version')) };
    const problem = await refusalOf(() => visit.api.send('PATCH', path, body));
    if (problem) return testPage(visit, { refused: { problem } });
  }
  return { goTo: begins ? authorizePath(visit, application) : clientPath(visit, 'applications', '/test') };
}

function authorizePath(visit: ConsoleVisit, { clientId }: ShownApplication): string {
  const chosen = fieldValues(visit, 'scopes');
  const test = beginTest(visit.session, { orgId: param(visit, 'orgId'), id: param(visit, 'id') });
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: ['openid', ...scopes.filter((scope) => chosen.includes(scope))].join(' '),
    redirect_uri: visit.at(resultPath),
    state: test.state,
    nonce: newSecret(),
    code_challenge: createHash('sha256').update(test.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `/oauth/v2/authorize?${query}`;
}
