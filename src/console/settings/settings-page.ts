import { html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, form } from '../http/form.js';
import { card, exact, facts, moment } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, ownsInstance, param, queryText } from '../http/visit.js';
import { changedMeanwhile } from '../log/changed-meanwhile.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { apiOf, organizationOf, pathOf, type ShownOrganization } from '../resources/organization-of.js';
import type { FormView, SettingsForm } from './settings-form.js';
import { formsFor } from './settings-forms.js';
import { settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

/** Why a form comes back with what was typed. */
interface Refused {
  readonly settingsForm: SettingsForm;
  readonly problem: ApiProblem;
}

/** Why the page comes back: a form was refused, or an uploaded logo. */
interface ComesBack {
  readonly refused?: Refused;
  readonly logoProblem?: ApiRefusal;
}

/** The settings of an organization, a form for each subject. */
export async function settingsPage(
  visit: ConsoleVisit,
  { refused, logoProblem }: ComesBack = {},
): Promise<ConsolePage> {
  const organization = await organizationOf(visit);
  const { t, at, language } = visit;
  const texts = settingsTexts[language];
  const { login, id } = organization;
  const pictures = [login.logoUrl, login.faviconUrl].filter((url) => url !== undefined);
  return settingsFrame(visit, {
    organization,
    tab: 'general',
    content: html`${formsFor(visit).map((settingsForm) => formCard({ visit, organization, isTyped: refused?.settingsForm === settingsForm }, settingsForm))}
${card(
  texts.about,
  facts([
    [t.identifier, exact(id)],
    [t.created, moment(organization.created, language)],
    [t.changed, moment(organization.lastModified, language)],
  ]),
)}
${
  ownsInstance(visit) &&
  card(
    texts.removeTitle,
    html`<p class="buttons"><a class="button quiet" href="${at(pathOf(visit, '/remove'))}">${texts.removeTitle}</a></p>`,
    { hint: texts.removeHint },
  )
}`,
    imageSources: pictures,
    ...(queryText(visit, 'done') === 'saved' && { notice: t.saved }),
    ...(refused && (await refusalIn(visit, organization, refused))),
    ...(logoProblem && { refused: { problem: logoProblem } }),
  });
}

async function refusalIn(
  visit: ConsoleVisit,
  organization: ShownOrganization,
  { settingsForm, problem }: Refused,
): Promise<Pick<ConsolePage, 'alert' | 'refused' | 'status'>> {
  if (problem.status !== 412)
    return { refused: { problem, ...(settingsForm.names && { names: settingsForm.names }) } };
  const version = Number(fieldText(visit, 'version'));
  const stored = settingsForm.stored(visit, organization);
  return { alert: await changedMeanwhile(visit, { id: organization.id, version, stored }), status: 409 };
}

function formCard(view: FormView, settingsForm: SettingsForm) {
  const { visit, organization } = view;
  const texts = settingsTexts[visit.language];
  const fields = form(visit, {
    action: pathOf(visit, `/settings/change/${settingsForm.key}`),
    shown: { version: String(organization.version), ...settingsForm.shown?.(view) },
    content: html`${settingsForm.fields(view)}${buttons(visit.t.save)}`,
  });
  const content = settingsForm.around?.(view, fields) ?? fields;
  return card(texts[`form_${settingsForm.key}`], content, { id: settingsForm.key });
}

/** Takes the change of one form. */
export async function changeSettings(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const settingsForm = formsFor(visit).find(({ key }) => key === param(visit, 'form'));
  if (settingsForm === undefined) return settingsPage(visit);
  const organization = await organizationOf(visit);
  const version = Number(fieldText(visit, 'version'));
  const body = { ...settingsForm.change(visit, organization), version };
  const problem = await refusalOf(() => visit.api.send('PATCH', apiOf(visit), body));
  if (problem !== undefined) return settingsPage(visit, { refused: { settingsForm, problem } });
  return { goTo: `${pathOf(visit, '/settings')}?done=saved` };
}
