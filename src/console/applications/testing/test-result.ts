import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import { ApiProblem } from '../../http/api.js';
import { badge, card, codeBlock, exact, facts, table } from '../../http/parts.js';
import { isRefusal } from '../../http/refused.js';
import type { ConsolePage } from '../../http/respond.js';
import { pathTo } from '../../http/segments.js';
import { type ConsoleVisit, queryText } from '../../http/visit.js';
import { type BegunTest, resultPath, testOf } from './begun-test.js';
import type { TestTexts } from './texts/en.js';
import { testTexts } from './texts/texts.js';

/** A claim as the admin API shows it. */
interface SeenClaim {
  readonly name: string;
  readonly value: unknown;
  readonly source: keyof TestTexts['sources'];
  readonly scope?: string;
}

/** What the application would get, as the admin API shows it. */
interface TestedSignIn {
  readonly scope: string;
  readonly idToken: readonly SeenClaim[];
  readonly userinfo: readonly SeenClaim[];
  readonly accessToken: {
    readonly form: 'opaque' | 'jwt';
    readonly audience: readonly string[];
    readonly claims: readonly SeenClaim[];
    readonly introspection: readonly SeenClaim[];
    readonly elsewhere: { readonly answer: unknown; readonly reason?: string };
  };
}

/** The longest shown value of a claim, in characters. */
const longestValue = 1_000;

/** What came back from a test, and what the application would get for it. The code is redeemed at once, and is shown nowhere. */
export async function testResultPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const texts = testTexts[visit.language];
  const test = testOf(visit.session, queryText(visit, 'state'));
  const code = queryText(visit, 'code');
  const error = queryText(visit, 'error');
  if (test === undefined) return failedPage(visit, undefined, html`<p>${texts.notMine}</p>`);
  if (code === '' || error !== '') return failedPage(visit, test, answerFacts(visit));
  const { orgId, id } = test;
  try {
    const path = `${pathTo('/admin/v1/orgs', orgId)}${pathTo('/applications', id)}/test-sign-in`;
    const redirectUri = visit.at(resultPath);
    const body = { code, codeVerifier: test.codeVerifier, redirectUri };
    const seen = await visit.api.send<TestedSignIn>('POST', path, body);
    return {
      title: texts.result,
      notice: texts.worked,
      actions: againLink(visit, test),
      content: claimsCards(visit, seen),
    };
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || !isRefusal(problem)) throw problem;
    return failedPage(visit, test, html`<p>${texts.noTokens}</p>${textOfRefusal(visit.language, problem)}`);
  }
}

function failedPage(visit: ConsoleVisit, test: BegunTest | undefined, why: Html): ConsolePage {
  const texts = testTexts[visit.language];
  return {
    title: texts.result,
    ...(test && { actions: againLink(visit, test) }),
    content: card(texts.failed, why, { hint: texts.failedHint }),
  };
}

function againLink({ at, language }: ConsoleVisit, { orgId, id }: BegunTest): Html {
  const path = `${pathTo('/console/orgs', orgId)}${pathTo('/applications', id)}/test`;
  return html`<a class="button" href="${at(path)}">${testTexts[language].again}</a>`;
}

/** What the authorization endpoint answered, without the code. */
function answerFacts(visit: ConsoleVisit): Html {
  const [error, description, issuer] = ['error', 'error_description', 'iss'].map((name) =>
    queryText(visit, name).slice(0, 500),
  ) as [string, string, string];
  return facts([
    ['error', error !== '' && exact(error)],
    ['error_description', description],
    ['iss', issuer !== '' && exact(issuer)],
  ]);
}

function claimsCards(visit: ConsoleVisit, { scope, idToken, userinfo, accessToken }: TestedSignIn): Html {
  const texts = testTexts[visit.language];
  const { form, audience, claims, introspection, elsewhere } = accessToken;
  return html`${card(texts.idToken, claimsTable(visit, texts.idToken, idToken), { hint: texts.idTokenHint })}
${card(texts.userinfo, claimsTable(visit, texts.userinfo, userinfo), { hint: texts.userinfoHint })}
${card(
  `${texts.accessToken} (${form === 'jwt' ? 'JWT' : texts.opaque})`,
  html`${facts([
    ['scope', exact(scope)],
    ['aud', exact(audience.join(' '))],
  ])}
${form === 'jwt' ? html`<h3>${texts.inJwt}</h3>${claimsTable(visit, texts.inJwt, claims)}` : html`<p>${texts.opaqueHint}</p>`}
<h3>${texts.introspection}</h3>${claimsTable(visit, texts.introspection, introspection)}`,
)}
${card(
  texts.elsewhere,
  html`${codeBlock(JSON.stringify(elsewhere.answer))}<p>${filled(texts.elsewhereWhy, { audience: html`<code>${audience.join(' ')}</code>`, reason: html`<code>${elsewhere.reason ?? ''}</code>` })}</p>`,
)}`;
}

function claimsTable({ language }: ConsoleVisit, caption: string, claims: readonly SeenClaim[]): Html {
  const texts = testTexts[language];
  return table({
    caption,
    columns: [texts.claim, texts.value, texts.from],
    rows: claims.map(({ name, value, source, scope }): HtmlValue[] => [
      html`<code>${name}</code>`,
      html`<code>${shownValue(value)}</code>`,
      html`${badge(texts.sources[source])}${scope !== undefined && html` <span class="soft">${texts.byScope} <code>${scope}</code></span>`}`,
    ]),
  });
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
