import { maxTypedPassword } from '#src/directory/index.js';
import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { actionButton, buttons, checkbox, field, form } from '../http/form.js';
import { card, facts, moment, shownOnce } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { pepperCard, pepperOf } from './pepper-card.js';
import { settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

interface Hook {
  readonly url: string;
  readonly timeoutMilliseconds: number;
  readonly created: string;
}

interface Tested {
  readonly outcome: 'confirmed' | 'refused' | 'failed';
  readonly reason?: string;
  readonly userName?: string;
}

/** What a form of the page led to. */
interface Outcome {
  readonly problem?: ApiProblem | undefined;
  /** The secret that the form made. */
  readonly secret?: string | undefined;
  readonly tested?: Tested | undefined;
}

const pagePath = '/settings/migration';

/** The former service of the organization, which confirms passwords at the first sign-in. */
export async function migrationHookPage(visit: ConsoleVisit, outcome: Outcome = {}): Promise<ConsolePage> {
  const [organization, hook, pepper] = await Promise.all([
    organizationOf(visit),
    hookOf(visit),
    pepperOf(visit),
  ]);
  const texts = settingsTexts[visit.language];
  const { t } = visit;
  const { problem, secret, tested } = outcome;
  const isTyped = problem !== undefined && fieldText(visit, 'url') !== '';
  const typed = (name: string, stored: string) => (isTyped ? fieldText(visit, name) : stored);
  const settings = form(visit, {
    action: pathOf(visit, pagePath),
    content: html`${field({ name: 'url', label: texts.hookUrl, type: 'url', value: typed('url', hook?.url ?? ''), hint: texts.hookUrlHint, isRequired: true, maxLength: 2000, isExact: true, placeholder: 'https://login.example.com/confirm' })}
${field({ name: 'timeoutMilliseconds', label: texts.hookTimeout, type: 'number', value: typed('timeoutMilliseconds', String(hook?.timeoutMilliseconds ?? 3000)), hint: texts.hookTimeoutHint })}
${hook && checkbox({ name: 'renewSecret', label: texts.hookRenew, hint: texts.hookRenewHint, isChecked: false })}
${buttons(t.save)}`,
  });
  return settingsFrame(visit, {
    organization,
    tab: 'migration',
    content: html`${secret !== undefined && card(texts.hookSecret, shownOnce({ label: texts.hookSecret, value: secret, hint: texts.hookSecretHint }))}
${card(texts.migration, html`${hook && facts([[t.created, moment(hook.created, visit.language)]])}${settings}`, { hint: texts.hookHint })}
${hook && testCard(visit, tested)}
${hook && card(texts.hookRemove, actionButton(visit, { action: pathOf(visit, `${pagePath}/remove`), label: t.remove }), { hint: texts.hookRemoveHint })}
${pepperCard(visit, pepper)}`,
    ...(queryText(visit, 'done') === 'saved' && { notice: t.saved }),
    ...(problem && { refused: { problem } }),
  });
}

function testCard(visit: ConsoleVisit, tested: Tested | undefined) {
  const texts = settingsTexts[visit.language];
  const content = form(visit, {
    action: pathOf(visit, `${pagePath}/test`),
    content: html`${field({ name: 'loginName', label: texts.hookLoginName, value: fieldText(visit, 'loginName'), isRequired: true, maxLength: 400, isExact: true })}
${field({ name: 'password', label: texts.hookPassword, type: 'password', isRequired: true, maxLength: maxTypedPassword })}
${buttons(texts.hookTest)}`,
  });
  const said =
    tested &&
    html`<p role="status">${texts[`hook_${tested.outcome}`]} ${tested.reason ?? tested.userName}</p>`;
  return card(texts.hookTest, html`${said}${content}`, { hint: texts.hookTestHint, id: 'test' });
}

/** Sets the hook. A new secret is only on the page that answers. */
export async function putMigrationHook(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = {
    url: fieldText(visit, 'url'),
    timeoutMilliseconds: Number(fieldText(visit, 'timeoutMilliseconds')),
    renewSecret: fieldText(visit, 'renewSecret') === 'on',
  };
  let secret: string | undefined;
  const problem = await refusalOf(async () => {
    ({ secret } = await visit.api.send<{ secret?: string }>('PUT', apiOf(visit, '/migration-hook'), body));
  });
  if (problem !== undefined || secret !== undefined) return migrationHookPage(visit, { problem, secret });
  return { goTo: `${pathOf(visit, pagePath)}?done=saved` };
}

/** Asks the hook, and writes nothing. */
export async function testMigrationHook(visit: ConsoleVisit): Promise<ConsolePage> {
  const body = { loginName: fieldText(visit, 'loginName'), password: fieldText(visit, 'password') };
  const path = apiOf(visit, '/migration-hook/test');
  let tested: Tested | undefined;
  const problem = await refusalOf(async () => {
    tested = await visit.api.send<Tested>('POST', path, body);
  });
  return migrationHookPage(visit, { problem, tested });
}

/** Sets the pepper. It comes back on no page. */
export async function putPepper(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = { pepper: fieldText(visit, 'pepper') };
  const problem = await refusalOf(() => visit.api.send('PUT', apiOf(visit, '/password-pepper'), body));
  return problem ? migrationHookPage(visit, { problem }) : { goTo: `${pathOf(visit, pagePath)}?done=saved` };
}

/** Removes the hook. Nothing of a person is lost, so no name is typed. */
export async function removeMigrationHook(visit: ConsoleVisit): Promise<GoTo> {
  await visit.api.send('DELETE', apiOf(visit, '/migration-hook'));
  return { goTo: `${pathOf(visit, pagePath)}?done=saved` };
}

/** Undefined if the organization has none. */
async function hookOf(visit: ConsoleVisit): Promise<Hook | undefined> {
  try {
    return await visit.api.get<Hook>(apiOf(visit, '/migration-hook'));
  } catch (error) {
    if (error instanceof ApiProblem && error.id === 'directory.migrationHookNotFound') return undefined;
    throw error;
  }
}
