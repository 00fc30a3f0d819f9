import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { ApiProblem } from '../http/api.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { servicePage } from './service-page.js';
import { keyPath, type ListedSigningKey } from './signing-keys-card.js';
import { serviceTexts } from './texts/texts.js';

/** Lets the next keys sign. A refusal says why, on the page of the service. */
export async function rotateKeys(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const alg = fieldText(visit, 'alg');
  const body = { ...(alg !== '' && { alg }), force: fieldText(visit, 'force') === 'on' };
  try {
    await visit.api.send('POST', '/admin/v1/signing-keys/_rotate', body);
    return { goTo: '/console/service?done=saved' };
  } catch (error) {
    if (error instanceof ApiProblem && [400, 409].includes(error.status))
      return servicePage(visit, { refused: { problem: error } });
    throw error;
  }
}

/** Asks before a signing key is removed. @param problem why it is asked again */
export async function removeKeyPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = serviceTexts[language];
  const key = await findKey(visit);
  return {
    title: texts.removeKey,
    crumbs: [{ href: at('/console/service'), label: t.nav.service }],
    content: confirmForm(visit, {
      action: `${keyPath(key.kid)}/remove`,
      name: key.kid,
      label: texts.removeKey,
      back: '/console/service',
      text: html`<p>${texts.removeKeyText}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  };
}

/** Removes the signing key, if its identifier was typed. Every token that it signed is refused from then on. */
export async function removeKey(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const kid = param(visit, 'kid');
  if (!isConfirmed(visit, kid)) return removeKeyPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', `/admin/v1/signing-keys/${segmentOf(kid)}`));
  if (problem) return removeKeyPage(visit, problem);
  return { goTo: '/console/service?done=removed' };
}

async function findKey(visit: ConsoleVisit): Promise<ListedSigningKey> {
  const kid = param(visit, 'kid');
  const { items } = await visit.api.get<{ items: ListedSigningKey[] }>('/admin/v1/signing-keys');
  const found = items.find((key) => key.kid === kid);
  if (found !== undefined) return found;
  throw new ApiProblem({ status: 404, id: 'keys.notFound', detail: 'There is no such key' });
}
