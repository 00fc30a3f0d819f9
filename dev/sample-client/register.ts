/** The file that the first start of an instance has written. */
export interface FirstStart {
  readonly baseUrl: string;
  readonly orgId: string;
  readonly adminToken: string;
}

export interface RegisteredUris {
  readonly redirectUri: string;
  readonly postLogoutRedirectUri: string;
}

interface Page {
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly next?: string;
}

const name = 'Sample client';

/**
 * Registers the sample client through the admin API, or finds it registered. The client runs on a person's machine and
 * keeps no secret. PKCE proves that it redeems its own codes.
 * @returns its client_id
 */
export async function registerSampleClient(first: FirstStart, uris: RegisteredUris): Promise<string> {
  const settings = {
    redirectUris: [uris.redirectUri],
    postLogoutRedirectUris: [uris.postLogoutRedirectUri],
  };
  const known = await findByName(first);
  const { id } =
    known === undefined
      ? await call<{ id: string }>(first, 'POST', { body: { name, type: 'native', ...settings } })
      : await call<{ id: string }>(first, 'PATCH', { path: `/${known}`, body: settings });
  return id;
}

async function findByName(first: FirstStart): Promise<string | undefined> {
  let path = '?limit=100';
  for (;;) {
    const page = await call<Page>(first, 'GET', { path });
    const found = page.items.find((application) => application.name === name);
    if (found !== undefined || page.next === undefined) return found?.id;
    path = `?limit=100&after=${encodeURIComponent(page.next)}`;
  }
}

async function call<T>(
  { baseUrl, orgId, adminToken }: FirstStart,
  method: string,
  { path = '', body }: { path?: string; body?: unknown },
): Promise<T> {
  const answer = await fetch(`${baseUrl}/admin/v1/orgs/${orgId}/applications${path}`, {
    method,
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} applications answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
