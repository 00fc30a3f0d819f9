import { pkce } from '../measures/oidc-side.js';

interface Asked {
  readonly path: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly userName: string;
  readonly password: string;
}

/** Signs a person in at Keycloak with a new browser, by its page. @returns the code @throws Error if there is none */
export async function codeByPage(
  url: string,
  { path, clientId, redirectUri, scope, userName, password }: Asked,
): Promise<string> {
  const query = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope },
    ...{ code_challenge: pkce.challenge, code_challenge_method: 'S256' },
  });
  const page = await fetch(`${url}${path}/protocol/openid-connect/auth?${query}`);
  const text = await page.text();
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  if (action === undefined) throw new Error(`Keycloak shows no form: ${page.status} ${text.slice(0, 300)}`);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const body = new URLSearchParams({ username: userName, password });
  const answer = await fetch(action, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
  const shown = await answer.text();
  const code = new URL(answer.headers.get('location') ?? 'none:').searchParams.get('code');
  if (code === null) throw new Error(`Keycloak signs nobody in: ${answer.status} ${shown.slice(0, 300)}`);
  return code;
}

/** Redeems a code of a client without a secret. @throws Error if the answer is no token */
export async function redeemThere(
  url: string,
  { path, clientId, redirectUri }: Pick<Asked, 'path' | 'clientId' | 'redirectUri'>,
  code: string,
): Promise<void> {
  const answer = await fetch(`${url}${path}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      ...{ client_id: clientId, code_verifier: pkce.verifier },
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Keycloak redeems no code: ${answer.status} ${text}`);
}
