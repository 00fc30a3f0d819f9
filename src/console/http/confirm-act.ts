import type { FastifyRequest } from 'fastify';
import type { ConsoleForm } from '#src/http/base/route-facts.js';
import { ApiProblem, withoutQuery } from './api.js';
import { labelOfForm } from './form-label.js';
import type { ConsolePage, GoTo, Sent } from './respond.js';
import { type ConsoleVisit, fieldText } from './visit.js';

/** Says in the person's language what a form is about to do. Undefined if the label of its button says enough. */
export type ActSentence = (visit: ConsoleVisit) => string | undefined | Promise<string | undefined>;

/** The longest name of an object in a sentence, in characters. */
const longestName = 80;

/**
 * A name for a sentence that asks the person to confirm. Others choose names, so it is cut, and has no line breaks and no characters that
 * nobody sees or that change the direction of the text.
 */
export function nameInSentence(name: string): string {
  const visible = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return visible.length > longestName ? `${visible.slice(0, longestName).join('')}…` : visible.join('');
}

/** Says what a button does. @param objects the names of what it is about */
export function sayAct(
  { t }: Pick<ConsoleVisit, 't'>,
  label: string,
  ...objects: (string | undefined)[]
): string {
  const named = objects.filter((name) => name !== undefined).map(nameInSentence);
  return t.confirms.other(nameInSentence(label), named.join(' · '));
}

/** What a page is for. */
export function actOfPage(visit: Pick<ConsoleVisit, 't'>, { act, title, organization }: ConsolePage): string {
  return act ?? sayAct(visit, title, organization?.name);
}

/** What a form does, by the label of its button at the page that shows it. Undefined if the person does not reach this page. */
export async function actOfForm(
  visit: ConsoleVisit,
  form: ConsoleForm,
  shownBy: ((visit: ConsoleVisit) => Promise<ConsolePage | GoTo | Sent>) | undefined,
): Promise<string | undefined> {
  if (shownBy === undefined) return undefined;
  try {
    const page = await shownBy({ ...visit, draft: undefined, request: asPage(visit.request, form) });
    if (!('content' in page)) return undefined;
    const { label, object } = labelOfForm(visit, page, withoutQuery(visit.request.url));
    return page.act ?? (label === undefined ? actOfPage(visit, page) : sayAct(visit, label, ...object));
  } catch (error) {
    if (error instanceof ApiProblem) return undefined;
    throw error;
  }
}

/** The request of the page that shows a form, instead of that of the form. */
function asPage(request: FastifyRequest, { query = {} }: ConsoleForm): FastifyRequest {
  const values = Object.entries(query).map(([name, from]) => [name, fieldText({ request }, from)] as const);
  return Object.create(request, {
    query: { value: Object.fromEntries(values) },
    body: { value: undefined },
  });
}
