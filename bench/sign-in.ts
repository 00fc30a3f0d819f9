import { createHash } from 'node:crypto';

export const redirectUri = 'http://127.0.0.1:9/callback';

export interface Person {
  readonly loginName: string;
  readonly password: string;
}

/** The service as browsers and applications see it. */
export interface Site {
  /** The address of the service in links and redirects. */
  readonly baseUrl: string;
  /** The address to which the next request goes. */
  address(): string;
}

/** Signs a person in with a new browser and redeems the code. @throws SignInEnded if the sign-in cannot continue */
export async function signIn(site: Site, clientId: string, person: Person): Promise<void> {
  const browser = openBrowser(site);
  const verifier = 'v'.repeat(43);
  const authorize = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = await browser.open(`/oauth/v2/authorize?${authorize}`);
  const { action, fields } = formOf(page.text);
  if (action === '') throw new SignInEnded(`${page.status} ${page.url} ${title(page.text)}`);
  const end = await browser.open(action, new URLSearchParams({ ...fields, ...person }));
  const code = new URL(end.url, redirectUri).searchParams.get('code');
  if (code === null) throw new SignInEnded(`${end.status} ${end.url} ${title(end.text)}`);
  const answer = await fetch(`${site.address()}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
    }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new SignInEnded(`${answer.status} ${text}`);
}

/** Signs an administrator in to the console with a new browser. @returns the header `Cookie` of the browser */
export async function signInToConsole(site: Site, person: Person): Promise<string> {
  const browser = openBrowser(site);
  const page = await browser.open('/console');
  const { action, fields } = formOf(page.text);
  const end = await browser.open(action, new URLSearchParams({ ...fields, ...person }));
  if (end.url !== '/console') throw new SignInEnded(`The sign-in to the console ended at ${end.url}`);
  return browser.cookie();
}

/** The first form of a page. The action is empty if there is none. */
function formOf(text: string): { action: string; fields: Record<string, string> } {
  const [, action = '', form = ''] = /<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(text) ?? [];
  const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
}

/** A sign-in step got an unexpected response. */
export class SignInEnded extends Error {}

const title = (text: string) => /<h1>([^<]*)/.exec(text)?.[1] ?? text.slice(0, 200);

/** Keeps cookies and follows redirects. It stops at the first address outside of the service. */
export function openBrowser({ baseUrl, address }: Site) {
  const cookies = new Map<string, string>();
  const local = (url: string) => (url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url);

  return {
    /** The header `Cookie` of the next request. */
    cookie: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    async open(start: string, form?: URLSearchParams) {
      let url = local(start);
      let body = form;
      for (let hop = 0; hop < 6; hop++) {
        const answer = await fetch(address() + url, {
          method: body ? 'POST' : 'GET',
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
          ...(body && { body }),
        });
        const text = await answer.text();
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = local(answer.headers.get('location') ?? '');
        if (location === '') {
          if (answer.status !== 200) throw new SignInEnded(`${answer.status} ${title(text)}`);
          return { url, status: answer.status, text };
        }
        if (!location.startsWith('/')) return { url: location, status: answer.status, text };
        url = location;
        body = undefined;
      }
      throw new SignInEnded(`It never ends: ${url}`);
    },
  };
}
