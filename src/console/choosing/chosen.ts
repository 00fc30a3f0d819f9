import { type Html, html } from '#src/http/pages/html.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, fieldValues, queryText } from '../http/visit.js';
import type { UserActionName } from './texts/shape.js';
import { userActionTexts } from './texts/texts.js';

const actionNames = [
  'deactivate',
  'reactivate',
  'addToGroup',
  'sendLinks',
] as const satisfies readonly UserActionName[];

/** The action, and whom a person chose in the list: some by their identifiers, or all of a list or search. */
export interface Chosen {
  readonly action: UserActionName;
  readonly ids: readonly string[];
  readonly isAll: boolean;
  readonly search: string;
  readonly active: string;
}

/** The most users whom one page of the list has. */
const mostChosen = 100;

/** Reads the choice from the query of the page, or from its form. Undefined without an action or without users. */
export function chosenIn(visit: ConsoleVisit, from: 'query' | 'form'): Chosen | undefined {
  const read = from === 'query' ? queryText : fieldText;
  const action = actionNames.find((name) => name === read(visit, 'action'));
  const body = from === 'query' ? visit.request.query : visit.request.body;
  const ids = fieldValues({ request: { body } as ConsoleVisit['request'] }, 'id').slice(0, mostChosen);
  const isAll = read(visit, 'all') === 'on';
  if (action === undefined || (!isAll && ids.length === 0)) return undefined;
  const [search, active] = [read(visit, 'search').slice(0, 200), read(visit, 'active')];
  return { action, ids, isAll, search, active };
}

/** The users as the API takes them. */
export function wantedOf({ ids, isAll, search, active }: Chosen): object {
  if (!isAll) return { userIds: ids };
  return { search: { text: search.trim(), ...(active !== '' && { active: active === 'true' }) } };
}

/** The choice as fields of a form, or as the query of a page. */
export function choiceFields({
  action,
  ids,
  isAll,
  search,
  active,
}: Chosen): [name: string, value: string][] {
  if (isAll)
    return [
      ['action', action],
      ['all', 'on'],
      ['search', search],
      ['active', active],
    ];
  return [['action', action], ...ids.map((id): [string, string] => ['id', id])];
}

/** The path of the page that asks. */
export function userActionPath(orgId: string): string {
  return `${pathTo('/console/orgs', orgId)}/users/actions`;
}

/** A list of users in a form that leads to the question about those who are chosen. */
export function choosing(
  { at, language }: ConsoleVisit,
  orgId: string,
  list: { readonly table: Html; readonly search: string; readonly active: string; readonly canMail: boolean },
): Html {
  const texts = userActionTexts[language];
  const { table, search, active, canMail } = list;
  const offered = actionNames.filter((name) => name !== 'sendLinks' || canMail);
  return html`<form method="get" action="${at(userActionPath(orgId))}">
<input type="hidden" name="search" value="${search}"><input type="hidden" name="active" value="${active}">
${table}
<div class="check chosen"><input type="checkbox" id="f-all" name="all" value="on"><label for="f-all">${search.trim() === '' && active === '' ? texts.all : texts.allFound}</label></div>
<fieldset><legend>${texts.withChosen}</legend><div class="buttons">${offered.map(
    (name) =>
      html`<button type="submit" class="quiet" name="action" value="${name}">${texts.button[name]}</button>`,
  )}</div></fieldset>
</form>`;
}

/** The box that chooses a user. */
export function choiceBox(
  { language }: ConsoleVisit,
  { id, displayName }: { readonly id: string; readonly displayName: string },
): Html {
  const label = `${userActionTexts[language].choose}: ${displayName}`;
  return html`<input type="checkbox" name="id" value="${id}" aria-label="${label}">`;
}
