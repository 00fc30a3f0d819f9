import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { buttons, field, form, isReturned, select } from '../http/form.js';
import { card, exact, moment, pager, table } from '../http/parts.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import type { TypedPerson } from '../memberships/find-holder.js';
import { roleName } from '../memberships/roles.js';
import { serviceTexts } from './texts/texts.js';

export interface InstanceRole {
  readonly id: string;
  readonly userId: string;
  readonly role: string;
  readonly created: string;
  readonly name?: string;
  readonly userOrgId?: string;
}

export interface InstanceRoles {
  readonly items: readonly InstanceRole[];
  readonly next?: string;
}

/**
 * The roles in the instance, and the form that gives one.
 * @param several the people whom the typed name means, if the person has to choose
 */
export function instanceRolesCard(
  visit: ConsoleVisit,
  { items, next }: InstanceRoles,
  several: readonly TypedPerson[] = [],
): Html {
  const { at, language, t } = visit;
  const texts = serviceTexts[language];
  const rows = items.map((held): HtmlValue[] => [
    html`<div>${held.name ?? t.unknown}<p class="hint">${exact(held.userId)}</p></div>`,
    roleName(visit, held.role),
    moment(held.created, language),
    html`<a class="button quiet danger" href="${at(`${rolePath(held.id)}/remove`)}">${t.remove}</a>`,
  ]);
  const action = '/console/service/roles';
  const isOpen = isReturned(visit, action) || fieldText(visit, 'userId') !== '';
  const give = form(visit, {
    action,
    content: html`${several.length > 0 ? choiceOf(texts.person, several) : field({ name: 'userId', label: texts.userId, hint: texts.userIdHint, value: fieldText(visit, 'userId'), isRequired: true, isExact: true, maxLength: 200 })}
${buttons(texts.giveRole)}`,
  });
  return card(
    texts.roles,
    html`${table({ caption: texts.roles, columns: [t.name, texts.role, t.created, t.remove], rows })}
${pager({ t, next: next === undefined ? undefined : at('/console/service', { after: next }) })}
<details${isOpen && html` open`}><summary>${texts.giveRole}</summary>${give}</details>`,
    { hint: texts.rolesHint },
  );
}

function choiceOf(label: string, people: readonly TypedPerson[]): Html {
  const choices = people.map(({ userId, userName, displayName, orgName }) => ({
    value: userId,
    label: [displayName, userName, orgName].filter(Boolean).join(' · '),
  }));
  return select({ name: 'userId', label, choices });
}

/** The path of its pages. */
export function rolePath(id: string): string {
  return `/console/service/roles/${segmentOf(id)}`;
}
