import { allowedFirstFactors } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { toAccountPlace } from '../http/to-account.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The page that mails a link to sign in. */
export const linkPath = '/login/mail-link';

/**
 * The way to a mailed link, where the organization of the page lets people sign in by it. It depends on the organization alone, and tells
 * nothing about anybody.
 */
export function offerLink(
  deps: Pick<LoginNeeds, 'clock' | 'config' | 'mailer'>,
  { texts: t, flow, organization }: Pick<Visit, 'texts' | 'flow' | 'organization'>,
  toAccount = false,
): Html | false {
  const allowed = allowedFirstFactors(organization?.signInPolicy, deps.clock.now());
  if (deps.mailer === undefined || !allowed.includes('mailLink')) return false;
  const address = pageAddress(deps, linkPath, { request: flow, ...toAccountPlace(toAccount) });
  return html`<p><a href="${address}">${t.signInLink.offer}</a></p>`;
}
