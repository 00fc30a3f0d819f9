import { html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import type { ApiProblem } from './api.js';
import type { ConsolePage } from './respond.js';
import type { ConsoleVisit } from './visit.js';

/** What the API refused, in a page, in the person's language. */
export function problemPage(visit: ConsoleVisit, problem: ApiProblem): ConsolePage {
  const { t, at } = visit;
  return {
    title: titleOf(visit, problem),
    content: html`<div class="card">${textOfRefusal(visit.language, problem)}
<p class="buttons"><a class="button" href="${at('/console')}">${t.nav.start}</a></p></div>`,
    status: problem.status,
  };
}

/** What a person sees at a page that none of the person's roles reaches. */
export function outOfReachPage({ t, at }: ConsoleVisit): ConsolePage {
  return {
    title: t.problems.forbidden,
    content: html`<div class="card"><p>${t.problems.noRole}</p>
<p class="buttons"><a class="button" href="${at('/console')}">${t.nav.start}</a> <a class="button quiet" href="${at('/console/switch-account')}">${t.switchAccount}</a></p></div>`,
    status: 403,
  };
}

function titleOf({ t }: ConsoleVisit, { id, status }: ApiProblem): string {
  if (id === 'directory.lastAbleOwner') return t.problems.invalid;
  if (status === 403) return t.problems.forbidden;
  if (status === 404) return t.problems.notFound;
  if (status === 409 || status === 412) return t.problems.conflict;
  if (status === 429) return t.problems.tooMany;
  return status >= 500 ? t.problems.unavailable : t.problems.invalid;
}
