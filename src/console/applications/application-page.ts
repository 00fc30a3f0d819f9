import { hasPrivateScheme } from '#src/clients/applications/index.js';
import { html } from '#src/http/pages/html.js';
import { connectTexts } from '../connect/texts/texts.js';
import { type CredentialOutcome, clientApi, clientPath, credentialNames } from '../credentials/client.js';
import { keysCard } from '../credentials/keys.js';
import { secretsCard } from '../credentials/secrets.js';
import type { ApiProblem } from '../http/api.js';
import { actionButton } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, card, exact, facts, moment } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, fieldText, ownsInstance, queryText } from '../http/visit.js';
import { changedMeanwhile } from '../log/changed-meanwhile.js';
import { type ShownApplication, takesSecret } from '../resources/application.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { addressesCard } from './addresses-card.js';
import { apiCard } from './api-card.js';
import { apiTexts } from './api-texts/texts.js';
import { settingsForm, storedSettings } from './application-settings.js';
import { boxNames } from './setting-fields.js';
import { applicationsTexts } from './texts/texts.js';

/** One application: how to connect it, its settings and its credentials. */
export async function applicationPage(
  visit: ConsoleVisit,
  { shown, problem, isTyped = false }: CredentialOutcome & { isTyped?: boolean } = {},
): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const texts = applicationsTexts[language];
  const [organization, application] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownApplication>(clientApi(visit, 'applications')),
  ]);
  const [calls, ...credentials] = await Promise.all([
    application.type === 'api' && apiCard(visit, application),
    takesSecret(application) && secretsCard(visit, 'applications'),
    application.authMethod === 'private_key_jwt' && keysCard(visit, 'applications'),
  ]);
  const about = facts([
    [t.identifier, exact(application.id)],
    [t.created, moment(application.created, language)],
    [t.changed, moment(application.lastModified, language)],
    [texts.idTokenSigning, application.idTokenSigning?.alg],
    [texts.idTokenSigningUntil, moment(application.idTokenSigning?.until, language)],
  ]);
  return {
    title: application.name,
    subtitle: html`${texts[`type_${application.type}`]} ${application.active ? badge(t.active, 'good') : badge(t.inactive, 'bad')} ${application.approved && badge(texts.approved, 'good')} ${application.administers && badge(texts.administers)}`,
    organization,
    crumbs: [{ href: at(pathOf(visit, '/applications')), label: t.nav.applications }],
    actions: actionsOf(visit, application),
    content: html`${shown}${calls}${addressesCard(visit, application)}${card(t.nav.settings, html`${settingsForm(visit, application, isTyped)}${about}`, { id: 'settings', ...riskOf(visit, application) })}
${credentials}${ownsInstance(visit) && marksCard(visit, application)}`,
    ...(problem && (await refusalIn(visit, application, problem))),
    ...noticeOf(visit, queryText(visit, 'done')),
  };
}

/** Why the form comes back: a value is wrong, or somebody else changed the application meanwhile. */
async function refusalIn(
  visit: ConsoleVisit,
  application: ShownApplication,
  problem: ApiProblem,
): Promise<Pick<ConsolePage, 'alert' | 'refused' | 'status'>> {
  if (problem.status !== 412) return { refused: { problem, names: { ...credentialNames, ...boxNames } } };
  const version = Number(fieldText(visit, 'version'));
  const stored = storedSettings(visit, application);
  return { alert: await changedMeanwhile(visit, { id: application.id, version, stored }), status: 409 };
}

/** The hint that says what can happen if a redirect URI has a private scheme (RFC 8252 sections 8.4 and 8.6). */
function riskOf({ language }: ConsoleVisit, { redirectUris }: ShownApplication): { hint?: string } {
  return redirectUris.some(hasPrivateScheme) ? { hint: applicationsTexts[language].privateSchemeRisk } : {};
}

function actionsOf(visit: ConsoleVisit, { active, type }: ShownApplication) {
  const texts = applicationsTexts[visit.language];
  const path = clientPath(visit, 'applications');
  return html`<a class="button" href="${visit.at(`${path}/connect`)}">${connectTexts[visit.language].connect}</a>${type !== 'api' && html`<a class="button quiet" href="${visit.at(`${path}/test`)}">${texts.test}</a><a class="button quiet" href="${visit.at(`${path}/call`)}">${apiTexts[visit.language].callApi}</a>`}${actionButton(
    visit,
    {
      action: `${path}/active`,
      label: active ? texts.deactivate : texts.activate,
      hidden: { active: active ? 'false' : 'true' },
    },
  )}<a class="button quiet" href="${visit.at(`${path}/remove`)}">${visit.t.remove}</a>`;
}

/** What only instance owners decide. Each can be undone. */
function marksCard(visit: ConsoleVisit, application: ShownApplication) {
  const texts = applicationsTexts[visit.language];
  const mark = (name: 'approval' | 'administration', isOn: boolean) =>
    html`<h3>${texts[name]}</h3><p class="soft">${texts[`${name}Hint`]}</p>${actionButton(visit, {
      action: clientPath(visit, 'applications', '/mark'),
      label: isOn ? texts[`${name}Off`] : texts[`${name}On`],
      hidden: { mark: name, on: isOn ? 'false' : 'true' },
    })}`;
  return card(
    texts.marks,
    html`${mark('approval', application.approved)}${mark('administration', application.administers)}`,
  );
}
