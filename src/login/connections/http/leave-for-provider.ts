import type { FastifyReply } from 'fastify';
import type { Departure } from '#src/connections/sign-in/index.js';
import { goTo } from '#src/http/pages/page-address.js';
import { sendPostingPage } from '#src/http/pages/posting-page.js';
import type { Visit } from '../../http/visit.js';
import type { LoginNeeds } from '../../needs/needs.js';

/** Lets the browser leave for a provider: by a redirect, or by a page that posts a form there. */
export function leaveForProvider(
  { config: { baseUrl } }: Pick<LoginNeeds, 'config'>,
  reply: FastifyReply,
  { visit, departure }: { visit: Pick<Visit, 'texts' | 'language' | 'organization'>; departure: Departure },
): FastifyReply {
  const { address, fields } = departure;
  if (fields === undefined) return goTo(reply, address);
  const { texts: t, language, organization } = visit;
  const texts = { title: t.oneMoment, text: t.signInGoesOn, go: t.continue };
  return sendPostingPage(reply, { baseUrl, language, organization }, { texts, address, fields });
}
