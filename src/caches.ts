import { createEffectiveMemberships } from '#src/access/memberships/index.js';
import { consoleApplication, consoleClientId, createOriginLookUp } from '#src/clients/applications/index.js';
import type { Config } from '#src/config.js';
import { loadServiceUserId } from '#src/oidc/clients/credentials-key.js';
import type { VersionedFeatures } from '#src/organizations/features/index.js';
import type { GroupGeneration } from '#src/people/groups/index.js';
import type { Caches } from '#src/platform/redis/cache.js';
import { batchReads } from '#src/platform/work/batcher.js';
import type { createStores } from './stores.js';

/** Entries of one cache. One process receives requests from about this many users and clients within a minute. */
const max = 10_000;

const isAbsence = (isThere: boolean) => !isThere;

/** Opens the caches that use cases share. The property names are those of the use cases. The keys are identifiers. */
export function openCaches(
  { create }: Caches,
  stores: Pick<
    ReturnType<typeof createStores>,
    | 'projects'
    | 'serviceUsers'
    | 'personalAccessTokens'
    | 'memberships'
    | 'users'
    | 'groups'
    | 'groupMembers'
    | 'applications'
    | 'applicationGrants'
    | 'consents'
    | 'organizations'
    | 'features'
  >,
  { baseUrl }: Pick<Config, 'baseUrl'>,
) {
  const { serviceUsers } = stores;
  const findApplication = async (id: string) =>
    id === consoleClientId ? consoleApplication(baseUrl) : stores.applications.findById(id);
  const applications = create({ name: 'application', max, load: findApplication });
  /** Keyed by the organization. The value is another object after each change of names or roles of its groups, and after the first group. */
  const groupGenerations = create({
    name: 'groupGeneration',
    max,
    load: async (orgId): Promise<GroupGeneration> => ({ hasGroups: await stores.groups.any(orgId) }),
  });
  const ownMemberships = create({
    name: 'memberships',
    max,
    load: (id: string) => stores.memberships.ofUser(id),
  });
  const originsIn = { hasOrigin: (origin: string) => stores.applications.hasOrigin(origin) };
  return {
    applications,
    /** Whether an active application has a redirect URI of an origin. So the cache also keeps that none has. */
    origins: create({ name: 'origin', max, isAbsence, load: createOriginLookUp(originsIn) }),
    /** Whether the grant exists, keyed by `applicationGrantKey`. So the cache also keeps that there is none. */
    applicationGrants: create({
      name: 'applicationGrant',
      max,
      isAbsence,
      load: async (key) => (await stores.applicationGrants.findByKey(key)) !== undefined,
    }),
    /** Keyed by `consentKey`. */
    consents: create({ name: 'consent', max, load: (key) => stores.consents.findByKey(key) }),
    serviceUsers: create({ name: 'serviceUser', max, load: (id) => serviceUsers.findById(id) }),
    personalAccessTokens: create({
      name: 'pat',
      max,
      load: (id) => stores.personalAccessTokens.findById(id),
    }),
    /** Every role of a user, those of its groups included. Keyed by the identifier of the user. */
    memberships: createEffectiveMemberships({ ...stores, own: ownMemberships, groupGenerations }),
    /** The roles of a service user, which is in no group. An invalidation of `memberships` applies here too. */
    ownMemberships,
    groupGenerations,
    /** The owners of projects, for scopes that name a project. */
    projectClaims: create({
      name: 'projectClaim',
      max,
      // A scope may name many projects. The requests of one turn share a read.
      load: batchReads(async (ids: readonly string[]) => {
        const claims = await stores.projects.claimsOf(ids);
        return (id) => claims.get(id);
      }),
    }),
    organizations: create({
      name: 'organization',
      max,
      // Anybody may ask for organizations that do not exist. The requests of one turn share a read.
      load: batchReads(async (ids: readonly string[]) => {
        const found = await stores.organizations.findMany(ids);
        return (id) => found.get(id);
      }),
    }),
    /** Has only the key `featuresKey`. */
    features: create({
      name: 'features',
      max: 1,
      load: (): Promise<VersionedFeatures> => stores.features.get(),
    }),
    /** Identifiers of service users, keyed by `credentialsKey`. */
    credentials: create({
      name: 'credentials',
      max,
      load: loadServiceUserId({ serviceUsers, applications }),
    }),
  };
}
