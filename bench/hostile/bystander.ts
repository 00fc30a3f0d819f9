import { setTimeout as pause } from 'node:timers/promises';
import { type Person, signIn } from '../sign-in.js';
import { createCaller, type Shot } from './caller.js';

export const requestKinds = ['GET', 'create', 'token', 'login'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** One client of the bystander. It sends one request at a time, at a fixed pace. */
export interface Bystander {
  readonly kind: RequestKind;
  /** Milliseconds from one request to the next, if the first one has ended by then. */
  readonly everyMs: number;
  /** The number of requests that a phase must have at least. */
  readonly atLeast: number;
  /** Sends a request. @returns milliseconds @throws Error if the response is not the right one */
  send(): Promise<number>;
}

/** What the bystander's clients know. */
export interface BystanderSetup {
  readonly url: string;
  readonly orgId: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly clientId: string;
}

const peopleCount = 8;
const password = 'Correct-Horse-7';

/** The clients of an organization that attacks nobody. */
export async function createBystanders(setup: BystanderSetup): Promise<{ all: Bystander[]; close(): void }> {
  const { url, orgId, client, clientId } = setup;
  // The address with which fetch calls too.
  const caller = createCaller(url, '127.0.0.1');
  const expect = async (status: number, shot: Shot) => {
    const answer = await caller.send(shot);
    if (answer.status !== status)
      throw new Error(`${shot.method} ${shot.path} answers ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  };
  const form = {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  };
  const token: Shot = {
    method: 'POST',
    path: '/oauth/v2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  };
  const { access_token } = JSON.parse((await expect(200, token)).text);
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/scim+json' };
  const users = `/scim/v2/${orgId}/Users`;
  let made = 0;
  const create = (more: object = {}) => {
    made++;
    const userName = `bystander-${made}`;
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      name: { givenName: 'Given', familyName: 'Family' },
      emails: [{ value: `${userName}@example.com`, primary: true }],
      ...more,
    };
    return expect(201, { method: 'POST', path: users, headers, body: JSON.stringify(body) });
  };
  const people = await Promise.all(
    Array.from({ length: peopleCount }, async () => {
      const { id, userName } = JSON.parse((await create({ password })).text);
      return { id: String(id), loginName: String(userName), password };
    }),
  );
  let turn = 0;
  const next = (): Person & { id: string } =>
    people[turn++ % people.length] ?? { id: '', loginName: '', password };
  const site = { baseUrl: url, address: () => url };
  const fast = { everyMs: 20, atLeast: 100 };
  return {
    all: [
      {
        kind: 'GET',
        ...fast,
        send: async () => (await expect(200, { method: 'GET', path: `${users}/${next().id}`, headers })).ms,
      },
      { kind: 'create', everyMs: 50, atLeast: 100, send: async () => (await create()).ms },
      { kind: 'token', ...fast, send: async () => (await expect(200, token)).ms },
      {
        kind: 'login',
        everyMs: 250,
        atLeast: 20,
        async send() {
          const started = performance.now();
          const { loginName } = next();
          await signIn(site, clientId, { loginName, password });
          return performance.now() - started;
        },
      },
    ],
    close: caller.close,
  };
}

/** The latencies of the requests of one kind, in milliseconds, and the failures. */
export interface Samples {
  readonly latencies: number[];
  readonly failures: string[];
}

/** Sends requests until it is told to end. The request in progress is completed. */
export async function keepSending(
  { everyMs, send }: Bystander,
  { latencies, failures }: Samples,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    const started = performance.now();
    try {
      latencies.push(await send());
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    const left = started + everyMs - performance.now();
    await pause(Math.max(0, left), undefined, { signal: ended }).catch(() => undefined);
  }
}
