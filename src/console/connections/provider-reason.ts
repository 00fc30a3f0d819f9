import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';

/** Why a provider cannot be used, as the API says it, above the form that names the provider. Other errors stand at their fields alone. */
export function providerReason(problem: ApiProblem | undefined): Html | undefined {
  if (problem?.id !== 'connections.providerUnusable' || problem.message === '') return undefined;
  return html`<p class="hint" lang="en">${problem.message}</p>`;
}
