import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Json } from '../../../dev/stage/http-client.js';

export type { Json };

/** A response as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body. Undefined if there is none. */
  readonly body: Json;
}

export const urn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  listResponse: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  searchRequest: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  errorDetail: 'urn:ietf:params:scim:api:service:messages:2.0:ErrorDetail',
} as const;

export const scimType = 'application/scim+json';

let counter = 0;

/** A minimal user to create. It differs from every other one of the process. */
export function newUser(differences: Record<string, unknown> = {}): Record<string, unknown> {
  const userName = (differences['userName'] as string | undefined) ?? `user-${++counter}`;
  return {
    schemas: [urn.user],
    userName,
    name: { givenName: 'Barbara', familyName: 'Jensen' },
    emails: [{ value: 'barbara@example.com', type: 'work', primary: true }],
    ...differences,
  };
}

export function patchOp(...operations: unknown[]): Record<string, unknown> {
  return { schemas: [urn.patchOp], Operations: operations };
}

/** Calls the SCIM endpoints of one organization with one token. */
export class ScimClient {
  readonly app: FastifyInstance;
  readonly orgId: string;
  readonly token: string;
  /** The service user of the client. */
  readonly userId: string;
  readonly #baseUrl: string;

  constructor(
    app: FastifyInstance,
    caller: { orgId: string; token: string; userId: string; baseUrl: string },
  ) {
    this.app = app;
    this.orgId = caller.orgId;
    this.token = caller.token;
    this.userId = caller.userId;
    this.#baseUrl = caller.baseUrl;
  }

  /** The same caller at another organization. */
  at(orgId: string): ScimClient {
    const { token, userId } = this;
    return new ScimClient(this.app, { orgId, token, userId, baseUrl: this.#baseUrl });
  }

  get base(): string {
    return `/scim/v2/${this.orgId}`;
  }

  get absoluteBase(): string {
    return `${this.#baseUrl}${this.base}`;
  }

  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, { headers });
  delete = (path: string, headers?: Record<string, string>) => this.send('DELETE', path, { headers });
  post = (path: string, body: unknown, headers?: Record<string, string>) =>
    this.send('POST', path, { body, headers });
  put = (path: string, body: unknown, headers?: Record<string, string>) =>
    this.send('PUT', path, { body, headers });
  patch = (path: string, body: unknown, headers?: Record<string, string>) =>
    this.send('PATCH', path, { body, headers });

  /** Sends a request. A body that is not a string is sent as JSON. An empty header is omitted. */
  async send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> | undefined } = {},
  ): Promise<Answer> {
    const all: Record<string, string> = {
      authorization: `Bearer ${this.token}`,
      accept: scimType,
      ...(body !== undefined && { 'content-type': scimType }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const answer = await this.app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `${this.base}${path}`,
      headers: sent,
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
    const json = /json/.test(String(answer.headers['content-type'] ?? '')) && answer.payload !== '';
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | undefined>,
      text: answer.payload,
      body: json ? JSON.parse(answer.payload) : undefined,
    };
  }

  /** Creates a user and returns it. Throws if this fails. */
  async create(differences: Record<string, unknown> = {}): Promise<Json> {
    const answer = await this.post('/Users', newUser(differences));
    if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
    return answer.body;
  }

  /** Names of the users that a filter selects, in alphabetical order. For an error: `status scimType`. */
  async found(filter: string): Promise<string> {
    const answer = await this.get(`/Users?filter=${encodeURIComponent(filter)}`);
    if (answer.status !== 200) return `${answer.status} ${answer.body.scimType}`;
    return answer.body.Resources.map((user: Json) => user.userName)
      .sort()
      .join(' ');
  }

  async bulk(
    operations: unknown[],
    more: Record<string, unknown> = {},
    headers?: Record<string, string>,
  ): Promise<Answer> {
    return this.post('/Bulk', { schemas: [urn.bulkRequest], ...more, Operations: operations }, headers);
  }
}
