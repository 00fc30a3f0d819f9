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
import type { PartView, SettingPart } from './setting-part.js';
import { partsFor } from './setting-parts.js';
import { settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

/** Why a part comes back with what was typed. */
interface Refused {
  readonly part: SettingPart;
  readonly problem: ApiProblem;
}

/** Why the page comes back: a part was refused, or an uploaded logo. */
interface ComesBack {
  readonly refused?: Refused;
  readonly logoProblem?: ApiRefusal;
}

/** The settings of an organization, a form for each part. */
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
    content: html`${partsFor(visit).map((part) => partCard({ visit, organization, isTyped: refused?.part === part }, part))}
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
  { part, problem }: Refused,
): Promise<Pick<ConsolePage, 'alert' | 'refused' | 'status'>> {
  if (problem.status !== 412) return { refused: { problem, ...(part.names && { names: part.names }) } };
  const version = Number(fieldText(visit, 'version'));
  const stored = part.stored(visit, organization);
  return { alert: await changedMeanwhile(visit, { id: organization.id, version, stored }), status: 409 };
}

function partCard(view: PartView, part: SettingPart) {
  const { visit, organization } = view;
  const texts = settingsTexts[visit.language];
  const fields = form(visit, {
    action: pathOf(visit, `/settings/change/${part.key}`),
    shown: { version: String(organization.version), ...part.shown?.(view) },
    content: html`${part.fields(view)}${buttons(visit.t.save)}`,
  });
  const content = part.around?.(view, fields) ?? fields;
  return card(texts[`part_${part.key}`], content, { id: part.key });
}

/** Changes one part. */
export async function changePart(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const part = partsFor(visit).find(({ key }) => key === param(visit, 'part'));
  if (part === undefined) return settingsPage(visit);
  const organization = await organizationOf(visit);
  const version = Number(fieldText(visit, 'version'));
  const body = { ...part.change(visit, organization), version };
  const problem = await refusalOf(() => visit.api.send('PATCH', apiOf(visit), body));
  if (problem !== undefined) return settingsPage(visit, { refused: { part, problem } });
  return { goTo: `${pathOf(visit, '/settings')}?done=saved` };
}
