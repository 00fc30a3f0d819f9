import type { FastifyInstance } from 'fastify';
import { addApplication } from '#src/clients/applications/add-application.js';
import type { Application, GivenSettings } from '#src/clients/applications/application.js';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { addUser } from '#src/people/users/add-user.js';
import { newSecret } from '#src/platform/ids.js';
import type { Rooms } from '#src/rooms.js';
import type { Session } from '#src/sessions/session.js';
import type { SignIn } from '#src/sessions/sessions.js';
import { testEditor, uniqueName } from '../app/make.js';

/** A person of an organization. */
export async function makePerson(
  container: Rooms,
  organization: Organization,
  userName = uniqueName('person'),
): Promise<User> {
  const profile = {
    userName,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: `${uniqueName('ada')}@example.com` }],
  };
  return addUser(container, {
    organization,
    draft: { profile, password: 'Sup3r-Secret-Horse' },
    editor: testEditor,
  });
}

/** An application. By default a web application with one redirect URI. */
export async function makeApplication(
  container: Rooms,
  orgId: string,
  settings: Partial<GivenSettings> = {},
): Promise<{ application: Application; clientSecret?: string }> {
  return addApplication(container, {
    orgId,
    mayAddProject: true,
    settings: {
      name: uniqueName('Application'),
      type: 'web',
      redirectUris: ['https://client.example/callback'],
      postLogoutRedirectUris: ['https://client.example/bye'],
      ...settings,
    },
    editor: testEditor,
  });
}

/** A response as the browser sees it. */
export interface Seen {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The address of the redirect. */
  readonly location: URL;
}

/** Sends requests as a browser does. It keeps cookies, and follows no redirect by itself. */
export class Browser {
  readonly #app: FastifyInstance;
  readonly #cookies = new Map<string, string>();
  readonly headers: Record<string, string> = {};

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  get(url: string, parameters: Parameters = {}): Promise<Seen> {
    const query = encode(parameters);
    return this.#send({ method: 'GET', url: query === '' ? url : `${url}?${query}` });
  }

  post(url: string, parameters: Parameters = {}): Promise<Seen> {
    return this.#send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: encode(parameters),
    });
  }

  /** Stores a session of the person, as the login pages do. */
  async signIn(
    container: Rooms,
    user: User,
    proofs: SignIn['proofs'] = [{ kind: 'password' }],
  ): Promise<Session> {
    const { id: userId, orgId, userName, displayName } = user;
    return container.sessions.signIn(this.agentHash, { userId, orgId, userName, displayName, proofs });
  }

  /** The hash by which the stores know the browser. A browser without a cookie gets one. */
  get agentHash(): string {
    const known = this.#cookies.get(agentCookie);
    const secret = known ?? newSecret();
    this.#cookies.set(agentCookie, secret);
    return hashSecret(secret);
  }

  async #send(request: {
    method: 'GET' | 'POST';
    url: string;
    headers?: Record<string, string>;
    payload?: string;
  }): Promise<Seen> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#app.inject({
      ...request,
      headers: { ...this.headers, ...request.headers, ...(cookie && { cookie }) },
    });
    for (const { name, value } of answer.cookies) this.#cookies.set(name, value);
    const headers = answer.headers as Seen['headers'];
    const location = new URL(String(headers['location'] ?? 'about:blank'));
    return { status: answer.statusCode, headers, text: answer.payload, location };
  }
}

/** A list repeats the parameter. An undefined parameter is omitted. */
export type Parameters = Record<string, string | readonly string[] | undefined>;

const agentCookie = '__Host-muster-agent';

function encode(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}
