import { type Html, html } from '#src/http/pages/html.js';
import { card, exact, facts } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { applicationsTexts } from './texts/texts.js';

/** The identifier of an application, and the addresses that every library asks for. No secret is in them. */
export function addressesCard(visit: ConsoleVisit, { type, clientId }: ShownApplication): Html {
  const { at, language } = visit;
  const texts = applicationsTexts[language];
  const issuer = at('');
  const isApi = type === 'api';
  const addresses = facts([
    [texts.clientId, exact(clientId)],
    [texts.issuer, exact(issuer)],
    [texts.discovery, exact(`${issuer}/.well-known/openid-configuration`)],
    [texts.authorizationEndpoint, !isApi && exact(at('/oauth/v2/authorize'))],
    [texts.tokenEndpoint, !isApi && exact(at('/oauth/v2/token'))],
    [texts.introspectionEndpoint, isApi && exact(at('/oauth/v2/introspect'))],
    [texts.userinfoEndpoint, !isApi && exact(at('/oidc/v1/userinfo'))],
    [texts.keysEndpoint, exact(at('/oauth/v2/keys'))],
  ]);
  return card(texts.addresses, html`${addresses}`, { id: 'addresses' });
}
