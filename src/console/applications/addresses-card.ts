import { type Html, html } from '#src/http/pages/html.js';
import { card, exact, facts } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { applicationsTexts } from './texts/texts.js';

/** The identifier of an application, and the addresses that every library asks for. No secret is in them. */
export function addressesCard(visit: ConsoleVisit, { type, clientId }: ShownApplication): Html {
  const { at, language } = visit;
  const own = applicationsTexts[language];
  const issuer = at('');
  const isApi = type === 'api';
  const addresses = facts([
    [own.clientId, exact(clientId)],
    [own.issuer, exact(issuer)],
    [own.discovery, exact(`${issuer}/.well-known/openid-configuration`)],
    [own.authorizationEndpoint, !isApi && exact(at('/oauth/v2/authorize'))],
    [own.tokenEndpoint, !isApi && exact(at('/oauth/v2/token'))],
    [own.introspectionEndpoint, isApi && exact(at('/oauth/v2/introspect'))],
    [own.userinfoEndpoint, !isApi && exact(at('/oidc/v1/userinfo'))],
    [own.keysEndpoint, exact(at('/oauth/v2/keys'))],
  ]);
  return card(own.addresses, html`${addresses}`, { id: 'addresses' });
}
