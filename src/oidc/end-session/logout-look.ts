import type { Organization } from '#src/directory/index.js';
import { homeOf, languageOf, type SignedIn } from '#src/http/auth/signed-in.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { PageLook } from '#src/http/pages/page-frame.js';
import { requestedLanguage } from '../http/answer-error-pages.js';
import { organizationOfClient } from '../http/organization-of-client.js';
import type { OidcNeeds } from '../needs/needs.js';

type Deps = Pick<OidcNeeds, 'config' | 'caches'>;

/** The look of the client's organization, or of the organization to which all concerned people belong. */
export async function logoutLook(
  deps: Deps,
  request: HttpExchange['request'],
  concerned: { clientId: string | undefined; sessions?: readonly SignedIn[] },
): Promise<PageLook> {
  const { clientId, sessions = [] } = concerned;
  const organization =
    (await organizationOfClient(deps, clientId)) ?? (await organizationOrNone(deps, homeOf(sessions)));
  const language = requestedLanguage(request, languageOf(sessions));
  return { baseUrl: deps.config.baseUrl, language, organization };
}

/** The look that the address of the last page names. */
export async function namedLook(
  deps: Deps,
  request: HttpExchange['request'],
  orgId: string | undefined,
): Promise<PageLook> {
  const organization = await organizationOrNone(deps, orgId);
  return { baseUrl: deps.config.baseUrl, language: requestedLanguage(request), organization };
}

/** A page can do without the look of the organization, so an error leaves it plain. */
async function organizationOrNone(
  { caches }: Deps,
  orgId: string | undefined,
): Promise<Organization | undefined> {
  if (orgId === undefined) return undefined;
  return caches.organizations.get(orgId).catch(() => undefined);
}
