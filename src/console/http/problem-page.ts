import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from './api.js';
import type { ConsolePage } from './respond.js';
import type { ConsoleVisit } from './visit.js';

/** What the API refused, in a page: what is wrong in the person's language, and exactly what in the words of the API. */
export function problemPage(visit: ConsoleVisit, problem: ApiProblem): ConsolePage {
  const { t, at } = visit;
  return {
    title: isLastOwner(problem) ? t.problems.invalid : titleOf(visit, problem.status),
    content: html`<div class="card">${alertText(visit, problem)}
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

/** What the API refused, for an alert: in the person's language where it has words for it, or else in those of the API. */
export function alertText({ t }: Pick<ConsoleVisit, 't'>, problem: ApiProblem): Html {
  return isLastOwner(problem) ? html`<p>${t.problems.lastOwner}</p>` : problemText(problem);
}

function isLastOwner({ id }: ApiProblem): boolean {
  return id === 'directory.lastAbleOwner';
}

/** The words of the API and the identifier of the error, for an alert above a form. */
export function problemText({ detail, id }: ApiProblem): Html {
  return html`<p lang="en">${detail}</p>${id !== '' && html`<p class="hint"><code>${id}</code></p>`}`;
}

function titleOf({ t }: ConsoleVisit, status: number): string {
  if (status === 403) return t.problems.forbidden;
  if (status === 404) return t.problems.notFound;
  if (status === 409 || status === 412) return t.problems.conflict;
  if (status === 429) return t.problems.tooMany;
  return status >= 500 ? t.problems.unavailable : t.problems.invalid;
}
