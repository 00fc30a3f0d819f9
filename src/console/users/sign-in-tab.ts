import { type Html, html } from '#src/http/pages/html.js';
import { actionButton } from '../http/form.js';
import { badge, card, facts, moment, number, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, managesUsers } from '../http/visit.js';
import { connectionsCard, type ShownConnectionState } from './connections-card.js';
import { identitiesCard, type UserIdentity } from './identities-card.js';
import { type Passkey, passkeysCard } from './passkeys-card.js';
import { type SignInTexts, usersTexts } from './texts/texts.js';
import { type ToldUnmetRule, unmetCard } from './unmet-rules.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

/** What the admin API says about the sign-in of a user. */
interface SignInState {
  readonly password?: { readonly changed: string; readonly changeRequired: boolean };
  readonly secondFactor?: { readonly enrolled: string };
  readonly locks: readonly {
    readonly of: keyof SignInTexts['lockOf'];
    readonly loginName?: string;
    readonly failures: number;
    readonly until: string;
  }[];
  readonly obstacles: readonly (keyof SignInTexts['obstacles'])[];
  readonly steps: readonly (keyof SignInTexts['steps'])[];
  readonly unmetRules: readonly ToldUnmetRule[];
  readonly loginNames: readonly string[];
  readonly refused: readonly { readonly time: string; readonly reason: keyof SignInTexts['reasons'] }[];
  readonly lastAccepted?: string;
}

/** Whether the user can sign in, and if not, why. */
export async function signInTab(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api } = visit;
  const subject = await userOfPath(visit);
  const { organization, user, path } = subject;
  const base = adminUserPath(organization.id, user.id);
  const [state, passkeys, connections, identities] = await Promise.all([
    api.get<SignInState>(`${base}/sign-in-state`),
    api.get<{ items: Passkey[] }>(`${base}/passkeys`),
    api.get<{ items: ShownConnectionState[] }>(`${base}/connection-states`),
    api.get<{ items: UserIdentity[] }>(`${base}/identities`),
  ]);
  const changePath = managesUsers(visit, organization.id) ? path : undefined;
  return userPage(visit, subject, {
    tab: 'signIn',
    content: html`${verdict(visit, state)}${await unmetCard(visit, state.unmetRules)}
<div class="cards">${credentials(visit, { state, path: changePath })}
${passkeysCard(visit, { passkeys: passkeys.items, path: changePath })}
${identitiesCard(visit, { identities: identities.items, path: changePath })}
${locks(visit, { state, path: changePath })}
${names(visit, state)}
${refusals(visit, state)}</div>
${connectionsCard(visit, connections.items)}`,
  });
}

function verdict({ language }: ConsoleVisit, { obstacles, steps }: SignInState): Html {
  const { signIn } = usersTexts[language];
  const asked =
    steps.length > 0 && html`<p>${signIn.asksFor} ${steps.map((step) => signIn.steps[step]).join(', ')}.</p>`;
  if (obstacles.length === 0) return html`<div class="notice"><p>${signIn.can}</p>${asked}</div>`;
  return html`<div class="alert"><p><strong>${signIn.cannot}</strong></p>
<ul>${obstacles.map((obstacle) => html`<li>${signIn.obstacles[obstacle]}</li>`)}</ul></div>`;
}

/** What a card needs. Without a path, the person may only look. */
interface SignInView {
  readonly state: SignInState;
  readonly path: string | undefined;
}

function credentials(visit: ConsoleVisit, { state: { password, secondFactor }, path }: SignInView): Html {
  const { at, language } = visit;
  const texts = usersTexts[language];
  const { signIn } = texts;
  const set =
    password &&
    html`${signIn.set} ${moment(password.changed, language)}${password.changeRequired && html`<br>${badge(signIn.mustChange, 'bad')}`}`;
  const enrolled = secondFactor && html`${signIn.enrolled} ${moment(secondFactor.enrolled, language)}`;
  const actions =
    path !== undefined &&
    (password !== undefined || secondFactor !== undefined) &&
    html`<div class="buttons">${
      password !== undefined &&
      !password.changeRequired &&
      actionButton(visit, { action: `${path}/require-password-change`, label: texts.requireChange })
    }${
      secondFactor !== undefined &&
      html`<a class="button quiet danger" href="${at(`${path}/second-factor/remove`)}">${texts.removeTotp}</a>`
    }</div>`;
  return card(
    texts.tabs.signIn,
    html`${facts([
      [texts.password, set ?? badge(signIn.notSet, 'bad')],
      [signIn.secondFactor, enrolled ?? signIn.notSet],
    ])}${actions}`,
  );
}

function locks(visit: ConsoleVisit, { state, path }: SignInView): Html {
  const { language } = visit;
  const { signIn, unlock } = usersTexts[language];
  if (state.locks.length === 0) return card(signIn.locks, html`<p class="soft">${signIn.noLocks}</p>`);
  const rows = state.locks.map(({ of, loginName, failures, until }) => [
    html`${signIn.lockOf[of]}${loginName !== undefined && html` <code>${loginName}</code>`}`,
    number(failures, language),
    moment(until, language),
  ]);
  return card(
    signIn.locks,
    html`${table({ caption: signIn.locks, columns: [signIn.lock, signIn.failures, signIn.until], rows })}
${path !== undefined && html`<div class="buttons">${actionButton(visit, { action: `${path}/unlock`, label: unlock })}</div>`}`,
  );
}

function names({ language, t }: ConsoleVisit, { loginNames, lastAccepted }: SignInState): Html {
  const { signIn } = usersTexts[language];
  return card(
    signIn.loginNames,
    html`<ul class="plain">${loginNames.map((name) => html`<li><code>${name}</code></li>`)}</ul>
${facts([[signIn.lastAccepted, moment(lastAccepted, language) ?? t.never]])}`,
    { hint: signIn.loginNamesHint },
  );
}

function refusals({ language }: ConsoleVisit, { refused }: SignInState): Html {
  const { signIn } = usersTexts[language];
  if (refused.length === 0) return card(signIn.refused, html`<p class="soft">${signIn.noneRefused}</p>`);
  const rows = refused.map(({ time, reason }) => [moment(time, language), signIn.reasons[reason]]);
  return card(
    signIn.refused,
    table({ caption: signIn.refused, columns: [signIn.time, signIn.reason], rows }),
  );
}
