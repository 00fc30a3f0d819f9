import { type Html, html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import { isConfirmed } from '../confirmation/confirm-form.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { number } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import { requireFreshSignIn } from '../http/require-fresh-sign-in.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, fieldValues, queryText } from '../http/visit.js';
import { type ApiRefusal, refusalOfPage } from '../refusals/refusal.js';
import type { NamedOrganization } from '../resources/named-organization.js';
import { pathOf } from '../resources/organization-of.js';
import { choiceBox } from './chosen.js';
import type { SeveralAction } from './texts/shape.js';
import { userActionTexts } from './texts/texts.js';

/** Groups or applications, and what can be done with several that a person chose in their list. */
export interface SeveralOf {
  /** Where the list is, below the organization. */
  readonly list: '/groups' | '/applications';
  /** The label of the list. */
  label(visit: ConsoleVisit): string;
  readonly actions: readonly SeveralAction[];
  /** The actions that nobody can take back. The person types how many are chosen. */
  readonly destroys: ReadonlySet<SeveralAction>;
  /** @throws ApiProblem for a person who may only look */
  organization(visit: ConsoleVisit): Promise<NamedOrganization>;
  /** The name of one. Undefined if it is gone. */
  nameOf(visit: ConsoleVisit, id: string): Promise<string | undefined>;
  act(visit: ConsoleVisit, action: SeveralAction, id: string): Promise<unknown>;
}

/** One page of a list has so many at most. So the person has seen all of them, and one request does the action with each. */
const mostChosen = 50;

interface ChosenOne {
  readonly id: string;
  readonly name: string;
}

/** A list in a form that leads to the question about those who are chosen. */
export function choosingSeveral(visit: ConsoleVisit, of: SeveralOf, table: Html): Html {
  const { several } = userActionTexts[visit.language];
  return html`<form method="get" action="${visit.at(pathOf(visit, `${of.list}/actions`))}">
${table}
<fieldset class="chosen"><legend>${several.withChosen}</legend><div class="buttons">${of.actions.map(
    (name) =>
      html`<button type="submit" class="quiet" name="action" value="${name}">${several[name].button}</button>`,
  )}</div></fieldset>
</form>`;
}

/** The column of {@link severalBox}. */
export function severalColumn({ language }: ConsoleVisit): string {
  return userActionTexts[language].choose;
}

/** The box that chooses one. */
export function severalBox(visit: ConsoleVisit, { id, name }: ChosenOne): Html {
  return choiceBox(visit, { id, displayName: name });
}

/** What a list says after an action with several of it, or after one with none. Undefined if the query names no such action. */
export function severalNotice({ language }: ConsoleVisit, of: SeveralOf, done: string): string | undefined {
  const { several } = userActionTexts[language];
  if (done === 'nothing') return several.nothing;
  const action = of.actions.find((name) => name === done);
  return action && several[action].done;
}

/** Counts and names those who are chosen, and asks. Without one it leads back to the list. */
export async function severalPage(visit: ConsoleVisit, of: SeveralOf): Promise<ConsolePage | GoTo> {
  const organization = await of.organization(visit);
  const chosen = await chosenOf(visit, of, { body: visit.request.query });
  const action = of.actions.find((name) => name === queryText(visit, 'action'));
  if (action === undefined || chosen.length === 0) return nothingChosen(visit, of);
  return questionAbout(visit, of, { organization, action, chosen });
}

/** Does the action with each. The page comes back with those with whom it was not possible, and says why. */
export async function doSeveral(visit: ConsoleVisit, of: SeveralOf): Promise<ConsolePage | GoTo> {
  requireFreshSignIn(visit);
  const organization = await of.organization(visit);
  const chosen = await chosenOf(visit, of, visit.request);
  const action = of.actions.find((name) => name === fieldText(visit, 'action'));
  if (action === undefined || chosen.length === 0) return nothingChosen(visit, of);
  const { several } = userActionTexts[visit.language];
  if (of.destroys.has(action) && !isConfirmed(visit, String(chosen.length))) {
    const problem = refusalOfPage('confirmed', several.otherNumber);
    return questionAbout(visit, of, { organization, action, chosen, problem });
  }
  const left: (ChosenOne & { readonly problem: ApiProblem })[] = [];
  for (const one of chosen) {
    const problem = await refusalOf(() => of.act(visit, action, one.id));
    if (problem) left.push({ ...one, problem });
  }
  if (left.length === 0) return { goTo: `${pathOf(visit, of.list)}?done=${action}` };
  const reasons = left.map(
    ({ name, problem }) => html`<li><strong>${name}</strong> ${textOfRefusal(visit.language, problem)}</li>`,
  );
  return {
    ...questionAbout(visit, of, { organization, action, chosen: left }),
    alert: html`<p>${several.left}</p><ul>${reasons}</ul>`,
    status: 409,
  };
}

interface Question {
  readonly organization: NamedOrganization;
  readonly action: SeveralAction;
  readonly chosen: readonly ChosenOne[];
  readonly problem?: ApiRefusal;
}

function questionAbout(
  visit: ConsoleVisit,
  of: SeveralOf,
  { organization, action, chosen, problem }: Question,
): ConsolePage {
  const { at, language, t } = visit;
  const { several } = userActionTexts[language];
  const texts = several[action];
  const list = pathOf(visit, of.list);
  const isDangerous = action !== 'activateApplications';
  return {
    organization,
    title: texts.title,
    crumbs: [{ href: at(list), label: of.label(visit) }],
    content: html`<div class="card">${form(visit, {
      action: `${list}/actions`,
      hidden: { action },
      content: html`${chosen.map(({ id }) => html`<input type="hidden" name="id" value="${id}">`)}
<p><strong>${texts.ask(number(chosen.length, language))}</strong></p>
<ul>${chosen.map(({ name }) => html`<li>${name}</li>`)}</ul>
${of.destroys.has(action) && field({ name: 'confirmed', label: several.confirmNumber(String(chosen.length)), isRequired: true, isExact: true })}
${buttons(texts.button, { isDangerous, cancel: { href: at(list), label: t.cancel } })}`,
    })}</div>`,
    ...(problem && { refused: { problem } }),
  };
}

/** Those who are chosen and exist, in the order of the list. */
async function chosenOf(
  visit: ConsoleVisit,
  of: SeveralOf,
  { body }: { readonly body: unknown },
): Promise<ChosenOne[]> {
  const request = { body } as ConsoleVisit['request'];
  const ids = [...new Set(fieldValues({ request }, 'id'))].slice(0, mostChosen);
  const names = await Promise.all(ids.map((id) => of.nameOf(visit, id)));
  return ids.flatMap((id, at) => (names[at] === undefined ? [] : [{ id, name: names[at] }]));
}

function nothingChosen(visit: ConsoleVisit, of: SeveralOf): GoTo {
  return { goTo: `${pathOf(visit, of.list)}?done=nothing` };
}
