import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { attributeInWords, goalInWords, noteInWords } from '#src/http/providers/answers/answer-words.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { buttons, form } from '../http/form.js';
import { badge, card, exact, facts, table } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { linkTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { nameOfUser } from '../resources/name-of-user.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { claimNames, connectionApi, connectionOf, connectionPath } from './shown-connection.js';
import { crumbsOfConnection } from './switch-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** What a test of the sign-in came to, as the admin API says. */
interface TestedSignIn {
  readonly state: 'waiting' | 'done';
  readonly address?: string;
  readonly outcome?: 'known' | 'linked' | 'created' | 'refused';
  readonly reason?: string;
  readonly detail?: string;
  readonly rule?: string;
  readonly userId?: string;
  readonly profile?: Readonly<Record<string, string>>;
  readonly subject?: string;
  readonly isMultiFactor?: boolean;
  readonly claims: readonly {
    readonly name: string;
    readonly value: string;
    readonly goesTo: readonly string[];
  }[];
  readonly notes: readonly string[];
  /** When the secret, or the last certificate of the provider, ends. */
  readonly credentialEnds?: string;
}

/** Begins a test. Its page leads to the provider by a link, because no form may lead to another site. */
export async function beginSignInTest(visit: ConsoleVisit): Promise<GoTo> {
  const { id } = await visit.api.send<{ id: string }>('POST', connectionApi(visit, '/sign-in-tests'));
  return { goTo: connectionPath(visit, `/sign-in-tests/${segmentOf(id)}`) };
}

/** A test that waits for the sign-in at the provider, or what it came to. */
export async function signInTestPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const texts = connectionsTexts[visit.language];
  const [organization, { name }, tested] = await Promise.all([
    organizationOf(visit),
    connectionOf(visit),
    visit.api.get<TestedSignIn>(connectionApi(visit, `/sign-in-tests/${segmentOf(param(visit, 'testId'))}`)),
  ]);
  const again = form(visit, {
    action: connectionPath(visit, '/sign-in-tests'),
    content: buttons(texts.tryAgain),
  });
  return {
    title: texts.trySignIn,
    subtitle: name,
    organization,
    crumbs: crumbsOfConnection(visit, name),
    content:
      tested.state === 'waiting'
        ? waitingCard(visit, tested)
        : html`${await outcomeCard(visit, tested)}${notesCard(visit, tested)}${claimsCard(visit, tested)}${again}`,
  };
}

function waitingCard({ language }: ConsoleVisit, { address = '' }: TestedSignIn): Html {
  const texts = connectionsTexts[language];
  return card(
    texts.trySignIn,
    html`<p class="buttons"><a class="button" href="${address}">${texts.toProvider}</a></p>
<p class="hint">${texts.trySend}</p><p>${exact(address)}</p>`,
    { hint: texts.tryHint },
  );
}

async function outcomeCard(visit: ConsoleVisit, tested: TestedSignIn): Promise<Html> {
  const { language, t } = visit;
  const texts = connectionsTexts[language];
  const { outcome = 'refused', reason = '', detail, userId, profile, subject, isMultiFactor } = tested;
  const person = userId === undefined ? undefined : ((await nameOfUser(visit, userId))?.name ?? userId);
  const attributes = claimNames.flatMap((name) =>
    profile?.[name] === undefined ? [] : [[attributeInWords(language, name), profile[name]] as const],
  );
  const why =
    outcome === 'refused' &&
    html`<p>${reasonInWords(language, reason)}</p>${detail !== undefined && html`<details><summary><code>${reason}</code></summary><p lang="en">${detail}</p></details>`}`;
  return card(
    texts.result,
    html`<div role="status"><p>${badge(outcome === 'refused' ? texts.fails : texts.works, outcome === 'refused' ? 'bad' : 'good')} ${texts[`outcome_${outcome}`]}</p>${why}</div>
${facts([
  [texts.person, userId !== undefined && linkTo(visit, [pathOf(visit, '/users'), userId], person)],
  ['sub', subject !== undefined && exact(subject)],
  [texts.multiFactor, isMultiFactor !== undefined && (isMultiFactor ? t.yes : t.no)],
  ...attributes,
])}`,
    { hint: texts.resultHint },
  );
}

function notesCard({ language }: ConsoleVisit, { notes, credentialEnds }: TestedSignIn): Html | undefined {
  if (notes.length === 0) return undefined;
  return card(
    connectionsTexts[language].notes,
    html`<ul>${notes.map((note) => html`<li>${noteInWords(language, note, credentialEnds)}</li>`)}</ul>`,
  );
}

function claimsCard({ language }: ConsoleVisit, { claims }: TestedSignIn): Html | undefined {
  if (claims.length === 0) return undefined;
  const texts = connectionsTexts[language];
  const rows = claims.map(({ name, value, goesTo }): HtmlValue[] => [
    html`<code>${name}</code>`,
    html`<code>${value}</code>`,
    goesTo.length === 0
      ? html`<span class="soft">${texts.goesNowhere}</span>`
      : goesTo.map((to, at) => html`${at > 0 && ', '}${goalInWords(language, to)}`),
  ]);
  const columns = [texts.claim, texts.value, texts.goesTo];
  return card(texts.claimsSeen, table({ caption: texts.claimsSeen, columns, rows }));
}
