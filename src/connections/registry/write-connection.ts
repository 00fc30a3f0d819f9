import type { AbleOwners } from '#src/access/memberships/index.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { refusedValue, type Target } from '#src/directory/index.js';
import { type OrganizationsStore, requireOrganization } from '#src/organizations/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Connection, ConnectionSettings } from './connection.js';
import type { SecretsDeps } from './connection-secrets.js';
import type { ConnectionsStore } from './connections.store.js';
import { connectionErrors } from './errors.js';

export interface WriteConnectionDeps extends SecretsDeps {
  readonly mongo: Mongo;
  readonly connections: ConnectionsStore;
  readonly events: EventsStore;
  readonly clock: Clock;
  readonly organizations: Pick<OrganizationsStore, 'find'>;
  readonly serviceUsers: { find(orgId: string, id: string): Promise<object | undefined> };
  readonly caches: { readonly connections: Pick<Cache<unknown>, 'invalidate'> };
  readonly config: { readonly baseUrl: string };
  readonly ableOwners: Pick<AbleOwners, 'keep'>;
  /** Ends what began by a connection: sessions, access tokens and refresh tokens. */
  readonly endSignIns: (of: { orgId: string; connectionId: string }) => Promise<void>;
  /** Checks that the provider can be reached, and says of itself what the settings say. Throws `connections.providerUnusable`. */
  readonly requireUsable: (orgId: string, settings: ConnectionSettings) => Promise<void>;
}

/**
 * Checks in the transaction of a change that the owners of the organization lose no way in that the last of them needs.
 * @throws AppError `directory.lastAbleOwner`
 */
export function keepAbleOwner(
  { ableOwners }: Pick<WriteConnectionDeps, 'ableOwners'>,
  { orgId, editor }: Pick<Target, 'orgId' | 'editor'>,
  transaction: Transaction,
): Promise<void> {
  return ableOwners.keep({ roles: [{ role: 'ORG_OWNER', orgId }], editor }, transaction);
}

/** How connections are read and written, for `writeStep`. */
export function keptConnections({ connections }: Pick<WriteConnectionDeps, 'connections'>) {
  return {
    aggregate: 'connection',
    notFound: connectionErrors.connectionNotFound,
    find: (orgId: string, id: string) => connections.find(orgId, id),
    replace: (
      connection: Connection,
      expectedVersion: number,
      transaction: Parameters<ConnectionsStore['replace']>[2],
    ) => connections.replace(connection.orgId, { connection, expectedVersion }, transaction),
    failed(error: unknown): undefined {
      throw error;
    },
  } as const;
}

/**
 * Checks what settings name outside of the connection: domains that the organization has proved, and a service user of it.
 * @param named what the connection names already. It is not checked again
 * @throws AppError `directory.valueInvalid`, `directory.organizationNotFound`
 */
export async function requireOwnNames(
  deps: Pick<WriteConnectionDeps, 'organizations' | 'serviceUsers'>,
  orgId: Target['orgId'],
  { domains, linking }: ConnectionSettings,
  named?: ConnectionSettings,
): Promise<void> {
  const organization = await requireOrganization(deps.organizations.find, orgId);
  const known = new Set([...organization.domains, ...(named?.domains ?? [])]);
  const foreign = domains.findIndex((domain) => !known.has(domain));
  if (foreign >= 0) {
    const detail = `domains[${foreign}] is no verified domain of the organization`;
    throw refusedValue(`domains[${foreign}]`, 'notOffered', detail, {
      allowed: organization.domains.slice(0, 20),
    });
  }
  const { provisionedBy } = linking;
  if (provisionedBy === undefined || provisionedBy === named?.linking.provisionedBy) return;
  if ((await deps.serviceUsers.find(orgId, provisionedBy)) !== undefined) return;
  const detail = 'linking.provisionedBy is no service user of the organization';
  throw refusedValue('linking.provisionedBy', 'unknown', detail);
}
