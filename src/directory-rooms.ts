import { openAccess } from '#src/access/index.js';
import { hasRoleOutside } from '#src/access/memberships/index.js';
import { openAccounts } from '#src/accounts/index.js';
import { openAuthentication } from '#src/authentication/open/index.js';
import { servesPasskey } from '#src/authentication/passkeys/index.js';
import { openClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import { openConnections } from '#src/connections/index.js';
import { openDirectory } from '#src/directory/open/index.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import { openOrganizations } from '#src/organizations/open/index.js';
import { createQuotaReservations, createQuotas, type Quotas } from '#src/organizations/quotas/index.js';
import { openPeople } from '#src/people/index.js';
import { openRemoval } from '#src/removal/index.js';

/** What the nine rooms of the directory offer. */
type DirectoryRooms = ReturnType<typeof openDirectoryRooms>;

/** What these rooms ask of the ground. Each of the later rooms also gets what the earlier ones offer. */
type DirectoryNeeds = Parameters<typeof openOrganizations>[0] &
  Omit<
    Parameters<typeof openPeople>[0],
    keyof ReturnType<typeof openOrganizations> | keyof ReturnType<typeof openAccounts>
  > &
  Parameters<typeof openClients>[0] &
  Omit<Parameters<typeof openAuthentication>[0], 'caches'> &
  Parameters<typeof openConnections>[0] & { readonly config: Pick<Config, 'baseUrl' | 'rpId'> } & Pick<
    Parameters<typeof openRemoval>[0],
    'eventReceivers'
  >;

/** Opens the nine rooms of people, organizations and clients from the ground up. */
export function openDirectoryRooms(needs: DirectoryNeeds) {
  const directory = openDirectory(needs);
  const organizations = openOrganizations(needs);
  const accounts = openAccounts({ ...needs, ...organizations });
  const people = openPeople({ ...needs, ...organizations, ...accounts });
  const access = openAccess({
    ...{ ...needs, accounts, organizations, people },
    passkeyServes: (passkey) => servesPasskey(needs, passkey),
    connectionsOf: (orgId, transaction) =>
      transaction === undefined
        ? connections.caches.connections.get(orgId)
        : connections.connections.ofOrganization(orgId, transaction),
  });
  const clients = openClients(needs);
  const authentication = openAuthentication({ ...needs, ...organizations });
  const connections = openConnections(needs);
  return {
    ...{ ...directory, ...organizations, ...accounts, ...people, ...access, ...clients, ...authentication },
    ...connections,
    /** Whether a session still counts that began by a connection. A connection signs in nobody with a role outside of its organization. */
    connectionServes: async (
      signIn: Parameters<typeof connections.connectionServes>[0] & { userId: string },
    ) =>
      (await connections.connectionServes(signIn)) &&
      !(await hasRoleOutside(access.caches, { id: signIn.userId, orgId: signIn.orgId })),
    ...openRemoval({ ...needs, ...accounts, ...people, ...access, ...clients }),
    caches: {
      ...{ ...organizations.caches, ...people.caches, ...access.caches, ...clients.caches },
      ...connections.caches,
    },
  };
}

/** Opens the quotas, which count the objects of these rooms and the jobs. */
export function openQuotas(
  rooms: DirectoryRooms,
  needs: Parameters<typeof createQuotaReservations>[0] & {
    readonly config: Config;
    readonly jobs: Pick<JobsStore, 'countOpen'>;
  },
): Quotas {
  return createQuotas({
    caches: rooms.caches,
    config: needs.config,
    reservations: createQuotaReservations(needs),
    counts: {
      users: (orgId) => rooms.users.count(orgId),
      groups: (orgId) => rooms.groups.count(orgId),
      serviceUsers: rooms.serviceUsers.count,
      projects: rooms.projects.count,
      applications: rooms.applications.count,
      connections: (orgId) => rooms.connections.count(orgId),
      metadata: metadataCount(rooms),
      openJobs: needs.jobs.countOpen,
    },
  });
}

/** Counts the entries of metadata. An uploaded logo is one. */
function metadataCount({ userMetadata, logos }: Pick<DirectoryRooms, 'userMetadata' | 'logos'>) {
  return async (orgId: string) => {
    const counts = await Promise.all([userMetadata.count(orgId), logos.count(orgId)]);
    return counts[0] + counts[1];
  };
}
