import type { Target } from './attack.js';

/** An authorization request as any page on the web can make its visitors send (RFC 6749 section 4.1.1). */
export function authorizationRequest({ clientId, redirectUri }: Target, state: string): string {
  return new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state,
  }).toString();
}
