import { html } from '#src/http/pages/html.js';
import { connectTexts } from '../connect/texts/texts.js';
import type { CredentialOutcome } from '../credentials/client.js';
import { clientApi, clientPath, credentialNames } from '../credentials/client.js';
import { federatedCard } from '../credentials/federated.js';
import { keysCard } from '../credentials/keys.js';
import { secretsCard } from '../credentials/secrets.js';
import { tokensCard } from '../credentials/tokens.js';
import type { ApiProblem } from '../http/api.js';
import { actionButton, buttons, checkbox, field, form } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, card, exact, facts, moment } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { changedMeanwhile } from '../log/changed-meanwhile.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import type { ShownServiceUser } from './service-user.js';
import { serviceUsersTexts } from './texts/texts.js';

/** One service user: its settings and its credentials. */
export async function serviceUserPage(
  visit: ConsoleVisit,
  { shown, problem, isTyped = false }: CredentialOutcome & { isTyped?: boolean } = {},
): Promise<ConsolePage> {
  const { at, t } = visit;
  const [organization, user, ...cards] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownServiceUser>(clientApi(visit, 'service-users')),
    secretsCard(visit, 'service-users'),
    tokensCard(visit),
    keysCard(visit, 'service-users'),
    federatedCard(visit),
  ]);
  return {
    title: user.name,
    subtitle: html`${exact(user.userName)} ${user.active ? badge(t.active, 'good') : badge(t.inactive, 'bad')}`,
    organization,
    crumbs: [{ href: at(pathOf(visit, '/service-users')), label: t.nav.serviceUsers }],
    actions: actionsOf(visit, user),
    content: html`${shown}${settingsCard(visit, user, isTyped)}${cards}`,
    ...(problem && (await refusalIn(visit, user, problem))),
    ...noticeOf(visit, queryText(visit, 'done')),
  };
}

function actionsOf(visit: ConsoleVisit, { active }: ShownServiceUser) {
  const texts = serviceUsersTexts[visit.language];
  const path = clientPath(visit, 'service-users');
  return html`<a class="button" href="${visit.at(`${path}/connect`)}">${connectTexts[visit.language].connect}</a>${actionButton(
    visit,
    {
      action: `${path}/active`,
      label: active ? texts.deactivate : texts.activate,
      hidden: { active: active ? 'false' : 'true' },
    },
  )}<a class="button quiet" href="${visit.at(`${path}/remove`)}">${visit.t.remove}</a>`;
}

const switches = ['ignorePasswords', 'plainScimErrors'] as const;

function settingsCard(visit: ConsoleVisit, user: ShownServiceUser, isTyped: boolean) {
  const { t, language } = visit;
  const texts = serviceUsersTexts[language];
  const text = (name: string, stored: string) => (isTyped ? fieldText(visit, name) : stored);
  const content = form(visit, {
    action: clientPath(visit, 'service-users'),
    shown: { version: String(user.version) },
    content: html`${field({ name: 'name', label: t.name, value: text('name', user.name), isRequired: true, maxLength: 200 })}
${field({ name: 'userName', label: texts.userName, value: text('userName', user.userName), isRequired: true, maxLength: 200, isExact: true, hint: texts.userNameHint })}
${field({ name: 'description', label: texts.description, value: text('description', user.description ?? ''), maxLength: 500 })}
${switches.map((name) =>
  checkbox({
    name,
    label: texts[name],
    hint: texts[`${name}Hint`],
    isChecked: isTyped ? fieldText(visit, name) === 'on' : user[name],
  }),
)}
${buttons(t.save)}`,
  });
  const about = facts([
    [t.identifier, exact(user.id)],
    [t.created, moment(user.created, language)],
    [t.changed, moment(user.lastModified, language)],
  ]);
  return card(t.nav.settings, html`${content}${about}`);
}

/** Why the form comes back: a value is wrong, or somebody else changed the service user meanwhile. */
async function refusalIn(
  visit: ConsoleVisit,
  user: ShownServiceUser,
  problem: ApiProblem,
): Promise<Pick<ConsolePage, 'alert' | 'refused' | 'status'>> {
  if (problem.status === 412) return { alert: await conflictOf(visit, user), status: 409 };
  return { refused: { problem, names: credentialNames } };
}

function conflictOf(visit: ConsoleVisit, user: ShownServiceUser) {
  const { t, language } = visit;
  const texts = serviceUsersTexts[language];
  const stored = [
    [t.name, user.name],
    [texts.userName, user.userName],
    [texts.description, user.description ?? ''],
    ...switches.map((name) => [texts[name], user[name] ? t.yes : t.no] as const),
  ] as const;
  return changedMeanwhile(visit, { id: user.id, version: Number(fieldText(visit, 'version')), stored });
}
