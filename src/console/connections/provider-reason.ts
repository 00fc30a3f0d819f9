import { type Html, html } from '#src/http/pages/html.js';
import { unusableInWords } from '#src/http/providers/unusable/unusable-reason.js';
import type { ApiProblem } from '../http/api.js';
import type { ConsoleVisit } from '../http/visit.js';

/** Why a provider cannot be used, above the form that names the provider. Other errors stand at their fields alone. */
export function providerReason(
  { language }: Pick<ConsoleVisit, 'language'>,
  problem: ApiProblem | undefined,
): Html | undefined {
  if (problem?.id !== 'connections.providerUnusable') return undefined;
  const { reason: fault, member } = problem.errors[0]?.params ?? {};
  return reasonText({ language }, { fault, member, reason: problem.message });
}

/** The sentence for a fault, or the English one of the API. Undefined without both. */
export function reasonText(
  { language }: Pick<ConsoleVisit, 'language'>,
  { fault, member, reason = '' }: { fault?: unknown; member?: unknown; reason?: string | undefined },
): Html | undefined {
  const words = unusableInWords(language, { reason: fault, member });
  if (words !== undefined) return html`<p class="hint">${words}</p>`;
  return reason === '' ? undefined : html`<p class="hint" lang="en">${reason}</p>`;
}
