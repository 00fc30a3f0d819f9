import { type HtmlValue, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { actionButton, buttons, checkbox, form } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, card, emptyList, moment, shownOnce, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldValues, param, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { connectionsTexts } from './texts/texts.js';

const steps = ['domain', 'connection', 'provisioning', 'test', 'switchOn'] as const;
/** The steps that give more than the connection. No form chooses them beforehand. */
const chosenByHand: ReadonlySet<string> = new Set(['domain', 'provisioning']);

/** A set-up link as the admin API shows it. */
interface ShownSetupLink {
  readonly id: string;
  readonly steps: readonly (typeof steps)[number][];
  readonly expires: string;
  readonly opened?: string;
  readonly done: Readonly<Record<string, string>>;
}

const path = '/connections/setup';

/** The links by which the own IT of a customer connects its provider, and the form for another one. */
export async function setupLinksPage(
  visit: ConsoleVisit,
  made: { address?: string; problem?: ApiProblem | undefined } = {},
): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const texts = connectionsTexts[language];
  const [organization, { items }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<{ items: readonly ShownSetupLink[] }>(apiOf(visit, '/setup-links')),
  ]);
  const rows = items.map((link) => rowOf(visit, link));
  const chosen = fieldValues(visit, 'steps');
  const content = form(visit, {
    action: pathOf(visit, path),
    content: html`<fieldset><legend>${texts.setupSteps}</legend>${steps.map((step) =>
      checkbox({
        name: 'steps',
        value: step,
        label: texts[`setup_${step}`],
        isChecked: chosen.length === 0 ? !chosenByHand.has(step) : chosen.includes(step),
      }),
    )}</fieldset>${buttons(texts.setupMake)}`,
  });
  return {
    title: texts.setupLinks,
    organization,
    crumbs: [{ href: at(pathOf(visit, '/connections')), label: t.nav.connections }],
    content: html`${made.address !== undefined && shownOnce({ label: texts.setupAddress, value: made.address, hint: texts.setupOnce })}
${rows.length === 0 ? emptyList(texts.setupNone) : table({ caption: texts.setupLinks, columns: [texts.setupSteps, texts.state, texts.setupEnds, ''], rows })}
${card(texts.setupMake, content, { hint: texts.setupText })}`,
    ...(made.problem && { refused: { problem: made.problem } }),
    ...noticeOf(visit, queryText(visit, 'done')),
  };
}

function rowOf(visit: ConsoleVisit, { id, steps, expires, opened, done }: ShownSetupLink): HtmlValue[] {
  const { language } = visit;
  const texts = connectionsTexts[language];
  return [
    html`<ul class="plain">${steps.map((step) => html`<li>${texts[`setup_${step}`]} ${done[step] !== undefined && badge(texts.setupDone, 'good')}</li>`)}</ul>`,
    opened === undefined ? texts.setupUnopened : html`${texts.setupOpened} ${moment(opened, language)}`,
    moment(expires, language),
    actionButton(visit, {
      action: pathOf(visit, `${path}/${segmentOf(id)}/end`),
      label: texts.setupEnd,
      isDangerous: true,
    }),
  ];
}

/** Makes a link. Its address is only on the page that answers. */
export async function makeSetupLink(visit: ConsoleVisit): Promise<ConsolePage> {
  const body = { steps: fieldValues(visit, 'steps') };
  let address: string | undefined;
  const problem = await refusalOf(async () => {
    const made = await visit.api.send<{ address: string }>('POST', apiOf(visit, '/setup-links'), body);
    address = made.address;
  });
  return setupLinksPage(visit, { problem, ...(address !== undefined && { address }) });
}

/** Ends a link at once. What it connected stays, so no name is typed. */
export async function endNamedSetupLink(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const id = segmentOf(param(visit, 'setupLinkId'));
  const problem = await refusalOf(() => visit.api.send('DELETE', apiOf(visit, `/setup-links/${id}`)));
  return problem ? setupLinksPage(visit, { problem }) : { goTo: `${pathOf(visit, path)}?done=removed` };
}
