import { type EndAtProviderDeps, endAtProvider } from '#src/connections/sign-in/index.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';
import type { SignedIn } from '#src/http/auth/signed-in.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { signedOutPage } from '#src/http/pages/page-address.js';
import { type PageLook, showPage } from '#src/http/pages/page-frame.js';
import { sendPostingPage } from '#src/http/pages/posting-page.js';
import type { OidcNeeds } from '../needs/needs.js';
import { leavingPage, leavingTexts } from './logout-pages.js';

/**
 * Lets a browser that was signed out here go on to the provider where its person signed in, if the connection ends sessions there. A page of this service
 * leads there: the form of another page may only lead to this service, also by redirects.
 * @param ended `redirectTo`: where the browser goes from there. Absent: to the page for the signed out
 * @returns undefined if no provider has to be told
 */
export async function goOnAtProvider(
  deps: Omit<EndAtProviderDeps, 'config'> & Parameters<typeof readAgent>[0] & Pick<OidcNeeds, 'config'>,
  { request, reply }: HttpExchange,
  { ended, redirectTo, look }: { ended: readonly SignedIn[]; redirectTo: string | undefined; look: PageLook },
): Promise<{ readonly sent: HttpExchange['reply'] } | undefined> {
  const agent = readAgent(deps, request);
  if (agent === undefined) return undefined;
  const departure = await endAtProvider(deps, ended, {
    agentHash: agent.hash,
    redirectTo: redirectTo ?? signedOutPage(deps.config),
    language: look.language,
  });
  if (departure === undefined) return undefined;
  const { address, fields } = departure;
  if (fields === undefined) return { sent: showPage(reply, look, leavingPage(look, address)) };
  return { sent: sendPostingPage(reply, look, { texts: leavingTexts(look), address, fields }) };
}
