import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Caches } from '#src/platform/redis/cache.js';
import { batchReads } from '#src/platform/work/batcher.js';
import { createFeaturesStore, featureIndexes, type VersionedFeatures } from '../features/features.store.js';
import { createLogosStore, logoIndexes } from '../logo/index.js';
import { organizationStands } from '../organization-stands.js';
import { createOrganizationsStore, organizationIndexes } from '../organizations.store.js';
import { createUserTotalsStore, userTotalIndexes } from '../user-totals.store.js';

/** The collections of the room, with their indexes. */
export const organizationCollections = [organizationIndexes, userTotalIndexes, featureIndexes, logoIndexes];

interface OpenOrganizationsDeps {
  readonly mongo: Mongo;
  readonly createCache: Caches['create'];
}

/** What the room offers. */
export type OpenedOrganizations = ReturnType<typeof openOrganizations>;

/** Opens organizations, the numbers of their users, and the features of the service. */
export function openOrganizations({ mongo, createCache }: OpenOrganizationsDeps) {
  const userTotals = createUserTotalsStore(mongo);
  const organizations = createOrganizationsStore(mongo, userTotals);
  const features = createFeaturesStore(mongo);
  const logos = createLogosStore(mongo);
  const caches = {
    organizations: createCache({
      name: 'organization',
      // Anybody may ask for organizations that do not exist. The requests of one turn share a read.
      load: batchReads(async (ids: readonly string[]) => {
        const found = await organizations.findMany(ids);
        return (id) => found.get(id);
      }),
    }),
    /** Has only the key `featuresKey`. */
    features: createCache({
      name: 'features',
      max: 1,
      load: (): Promise<VersionedFeatures> => features.get(),
    }),
  };
  /** The policy that makes the lives of sessions and refresh tokens shorter. It comes from memory. */
  const livesOf = async (orgId: string) => (await caches.organizations.get(orgId))?.signInPolicy ?? {};
  const stands = (orgId: string) => organizationStands({ caches }, orgId);
  return { userTotals, organizations, features, logos, stands, livesOf, caches };
}
