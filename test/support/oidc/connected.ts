import type { FastifyInstance } from 'fastify';
import { addConnection } from '#src/connections/registry/add-connection.js';
import type { Connection } from '#src/connections/registry/connection.js';
import { noClaimMapping } from '#src/connections/registry/mapping.js';
import type { Rooms } from '#src/rooms.js';
import { type Caller, makeTenant, testEditor } from '../app/make.js';
import type { Call } from '../app/test-app.js';
import type { HostileProvider } from '../hostile/hostile-provider.js';
import { type Seen, type Visitor, visit } from './visitor.js';

/** An organization whose people sign in by a connection. */
export interface Connected {
  readonly orgId: string;
  readonly owner: Caller;
  readonly connectionId: string;
  /** The path of the connection in the admin API. */
  readonly path: string;
}

interface Service {
  readonly app: FastifyInstance;
  readonly call: Call;
  readonly container: Rooms;
}

/** Adds a connection to the provider by the admin API. @param settings replace those of a connection that creates everybody */
export async function addConnectionTo(
  { call }: Pick<Service, 'call'>,
  { orgId, owner }: Pick<Connected, 'orgId' | 'owner'>,
  provider: Pick<HostileProvider, 'issuer'>,
  { provider: own, ...settings }: Record<string, unknown> & { provider?: object } = {},
): Promise<string> {
  const body = {
    name: 'Acme',
    provider: { issuer: provider.issuer, clientId: 'muster', ...own },
    clientSecret: 'a-secret-of-ours',
    creation: 'create',
    ...settings,
  };
  const answer = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as: owner, body });
  if (answer.status !== 201) throw new Error(`Not added: ${JSON.stringify(answer.body)}`);
  return String(answer.body.id);
}

/** Makes an organization with a connection to the provider. */
export async function makeConnected(
  service: Service,
  provider: Pick<HostileProvider, 'issuer'>,
  settings: Record<string, unknown> & { provider?: object } = {},
): Promise<Connected> {
  const { orgId, owner } = await makeTenant(service.container);
  const connectionId = await addConnectionTo(service, { orgId, owner }, provider, settings);
  return { orgId, owner, connectionId, path: `/admin/v1/orgs/${orgId}/connections/${connectionId}` };
}

/** Settings of every connection that a test may choose. */
type StoredSettings = Pick<
  Connection,
  'name' | 'enabled' | 'domains' | 'creation' | 'strength' | 'claims' | 'linking' | 'mapping'
>;

/** Adds a connection to a provider that does not exist, without the admin API. */
export function storeConnection(
  container: Rooms,
  orgId: string,
  {
    authMethod = 'client_secret_basic',
    ...more
  }: { authMethod?: 'client_secret_basic' | 'private_key_jwt' } & Partial<StoredSettings>,
): Promise<Connection> {
  const deps = { ...container, requireUsable: async () => {}, endSignIns: async () => {} };
  const provider = { issuer: 'https://issuer.example', clientId: 'muster', authMethod };
  return addConnection(deps, {
    orgId,
    editor: testEditor,
    clientSecret: authMethod === 'client_secret_basic' ? 'a secret' : undefined,
    settings: {
      ...{ name: 'Acme', protocol: 'oidc', enabled: true, domains: [], claims: {} },
      ...{ creation: 'refuse', strength: 'single' },
      linking: { identifierClaim: 'sub', byDomain: false, byPerson: false },
      mapping: noClaimMapping,
      ...more,
      provider: { ...provider, scopes: [], multiFactorAcrs: [], answersByForm: false, readsUserInfo: false },
    },
  });
}

let lastAddress = 0;

/** A browser of somebody, at an address of its own. */
export function newVisitor({ app, container }: Service): Visitor {
  return visit(app, container, { address: `198.51.100.${1 + (lastAddress++ % 250)}` });
}

/** Presses the button of a connection. Returns the address at the provider, and what the browser saw. */
export async function leaveFor(
  visitor: Visitor,
  { orgId, connectionId }: Pick<Connected, 'orgId' | 'connectionId'>,
  page?: Seen,
): Promise<string> {
  const shown = page ?? (await visitor.get(`/login?organization=${orgId}`));
  const left = await visitor.fill(shown, {}, `/login/connections/${orgId}/${connectionId}`);
  if (left.location === undefined) throw new Error(`The browser stays: ${left.status} ${left.text}`);
  return left.location;
}

/** Signs somebody in at the provider of a connection, and comes back. */
export async function signInBy(
  visitor: Visitor,
  connected: Pick<Connected, 'orgId' | 'connectionId'>,
  provider: HostileProvider,
  claims: Record<string, unknown>,
): Promise<Seen> {
  const address = await leaveFor(visitor, connected);
  return visitor.get(provider.authorize(address, claims));
}

/** The page to which a refused sign-in leads. */
export async function refusedPage(visitor: Visitor, seen: Seen): Promise<Seen> {
  if (!/^\/login\?/.test(seen.location ?? ''))
    throw new Error(`Not refused: ${seen.status} ${seen.location}`);
  return visitor.get(seen.location ?? '');
}

/** Whether the browser was signed in. */
export function isSignedIn({ status, location }: Seen): boolean {
  return status === 303 && /^\/(account|console|oauth\/v2\/authorize\/callback)/.test(location ?? '');
}
