import { createHash, randomBytes } from 'node:crypto';
import { requireArrival, UserAgent } from './user-agent.js';

/** The application, its redirect URI, and the person who signs in. */
export interface CodeRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly loginName: string;
  readonly password: string;
  readonly state?: string;
  /** Whether the application posts its request. */
  readonly byPost?: boolean;
}

/**
 * A person signs in with a new browser to an application that asks for a code with PKCE.
 * @returns the parameters that the application sends to the token endpoint, without its authentication
 */
export async function signInForCode(
  baseUrl: string,
  { clientId, redirectUri, loginName, password, state = 'here', byPost = false }: CodeRequest,
): Promise<Record<string, string>> {
  const agent = new UserAgent(baseUrl);
  const verifier = randomBytes(32).toString('base64url');
  const request = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const endpoint = `${baseUrl}/oauth/v2/authorize`;
  const page = byPost
    ? await agent.openByPost(endpoint, request)
    : await agent.open(`${endpoint}?${new URLSearchParams(request)}`);
  const { parameters } = requireArrival(await agent.signIn(page, { loginName, password }));
  if (parameters.get('state') !== state) throw new Error(`Another state: ${parameters.get('state')}`);
  return {
    grant_type: 'authorization_code',
    code: parameters.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
}
