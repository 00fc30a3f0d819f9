import { type Html, html } from '#src/http/pages/html.js';
import { type Chosen, choiceFields, chosenIn, userActionPath, wantedOf } from '../choosing/chosen.js';
import { userActionTexts } from '../choosing/texts/texts.js';
import { buttons, field, form, select } from '../http/form.js';
import { number } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { type ApiRefusal, refusalOfPage } from '../refusals/refusal.js';
import { findGroups } from '../resources/group.js';
import { managedOrganization, type NamedOrganization } from '../resources/named-organization.js';
import { usersPath } from '../users/user.js';

/** `POST user-actions` with `dryRun`. */
interface Preview {
  readonly users: number;
  readonly first: readonly { readonly id: string; readonly displayName: string; readonly userName: string }[];
}

/** How many groups the choice has. A search finds the others. */
const mostGroups = 50;

/**
 * Asks whether the action is to be done with the chosen users, whom it counts. Without users it leads back to the list. A link may choose
 * the users and search a group, but never chooses the group: its roles are given by the person alone.
 */
export async function questionPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage | GoTo> {
  const { at, language, t } = visit;
  const organization = await managedOrganization(visit);
  const chosen = chosenIn(visit, problem ? 'form' : 'query');
  const list = usersPath(organization.id);
  if (chosen === undefined) return { goTo: `${list}?done=nobody` };
  const texts = userActionTexts[language];
  const { action } = chosen;
  const groups = action === 'addToGroup' ? await groupsFor(visit, organization) : undefined;
  const preview = groups?.length === 0 ? undefined : await previewOf(visit, organization, chosen);
  return {
    organization,
    title: texts.title[action],
    crumbs: [{ href: at(list), label: t.nav.users }],
    content: html`<div class="card">${groups && groupSearch(visit, organization, chosen)}
${
  preview === undefined
    ? html`<p>${texts.noGroup}</p>`
    : form(visit, {
        action: userActionPath(organization.id),
        hidden: { expected: String(preview.users) },
        content: html`${choiceFields(chosen).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><strong>${texts.ask[action](number(preview.users, language))}</strong></p>
${named(visit, preview)}
${groups && select({ name: 'groupId', label: texts.group, choices: [{ value: '', label: texts.chooseGroup }, ...groups], value: fieldText(visit, 'groupId'), isRequired: true })}
${buttons(texts.button[action], { isDangerous: action === 'deactivate', cancel: { href: at(list), label: t.cancel } })}`,
      })
}</div>`,
    ...(problem && { refused: { problem } }),
  };
}

/** Begins the job. */
export async function beginAction(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const organization = await managedOrganization(visit);
  const chosen = chosenIn(visit, 'form');
  if (chosen === undefined) return { goTo: `${usersPath(organization.id)}?done=nobody` };
  const groupId = fieldText(visit, 'groupId');
  if (chosen.action === 'addToGroup' && groupId === '') {
    return questionPage(visit, refusalOfPage('groupId', userActionTexts[visit.language].chooseGroup));
  }
  const body = {
    action: chosen.action,
    ...wantedOf(chosen),
    expected: Number(fieldText(visit, 'expected')),
    ...(groupId !== '' && { groupId }),
  };
  let jobId = '';
  const problem = await refusalOf(async () => {
    jobId = await visit.api.submit('POST', `${pathTo('/admin/v1/orgs', organization.id)}/user-actions`, body);
  });
  if (problem) return questionPage(visit, problem);
  return { goTo: pathTo(`${userActionPath(organization.id)}/jobs`, jobId) };
}

function previewOf({ api }: ConsoleVisit, organization: NamedOrganization, chosen: Chosen): Promise<Preview> {
  return api.send<Preview>('POST', `${pathTo('/admin/v1/orgs', organization.id)}/user-actions`, {
    action: chosen.action,
    ...wantedOf(chosen),
    dryRun: true,
  });
}

/** The first users by name, so that a person sees who is meant. */
function named({ language }: ConsoleVisit, { users, first }: Preview): Html {
  const rest = users - first.length;
  return html`<ul>${first.map(({ displayName, userName }) => html`<li>${displayName} <code>${userName}</code></li>`)}${
    rest > 0 && html`<li>${userActionTexts[language].more(number(rest, language))}</li>`
  }</ul>`;
}

async function groupsFor(visit: ConsoleVisit, { id }: NamedOrganization) {
  const search = queryText(visit, 'group').slice(0, 200).trim();
  const { items } = await findGroups(visit, id, { search, limit: mostGroups });
  return items.map((group) => ({ value: group.id, label: group.displayName }));
}

/** Finds a group by the beginning of its name, with the same users. */
function groupSearch(
  { at, language, t, ...visit }: ConsoleVisit,
  { id }: NamedOrganization,
  chosen: Chosen,
): Html {
  const value = queryText(visit, 'group').slice(0, 200);
  return html`<form class="search" role="search" method="get" action="${at(userActionPath(id))}">
${choiceFields(chosen).map(([name, of]) => html`<input type="hidden" name="${name}" value="${of}">`)}
${field({ name: 'group', type: 'search', label: userActionTexts[language].groupHint, value, maxLength: 200 })}
<button type="submit" class="quiet">${t.search}</button>
</form>`;
}
