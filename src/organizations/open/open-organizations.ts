import type { Config } from '#src/config.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createTxtLookUp } from '#src/platform/outgoing/txt-records.js';
import type { Caches } from '#src/platform/redis/cache.js';
import { batchReads } from '#src/platform/work/batcher.js';
import { createDomainProofsStore, domainProofIndexes } from '../domain-proofs/index.js';
import { createFeaturesStore, featureIndexes, type VersionedFeatures } from '../features/features.store.js';
import { createLogosStore, logoIndexes } from '../logo/index.js';
import { organizationStands } from '../organization-stands.js';
import { createOrganizationsStore, organizationIndexes } from '../organizations.store.js';
import { createUserTotalsStore, userTotalIndexes } from '../user-totals.store.js';

/** The collections of the room, with their indexes. */
export const organizationCollections = [
  organizationIndexes,
  userTotalIndexes,
  featureIndexes,
  logoIndexes,
  domainProofIndexes,
];

interface OpenOrganizationsDeps {
  readonly config: Pick<Config, 'dnsServers'>;
  readonly mongo: Mongo;
  readonly createCache: Caches['create'];
}

/** What the room offers. */
export type OpenedOrganizations = ReturnType<typeof openOrganizations>;

/** Opens organizations, the numbers of their users, and the features of the service. */
export function openOrganizations({ config, mongo, createCache }: OpenOrganizationsDeps) {
  const userTotals = createUserTotalsStore(mongo);
  const organizations = createOrganizationsStore(mongo, userTotals);
  const features = createFeaturesStore(mongo);
  const logos = createLogosStore(mongo);
  const domainProofs = createDomainProofsStore(mongo);
  const lookUpTxt = createTxtLookUp(config.dnsServers === '' ? [] : config.dnsServers.split(/, */));
  const caches = {
    organizations: createCache({
      name: 'organization',
      // Anybody may ask for organizations that do not exist. The requests of one turn share a read.
      load: batchReads(async (ids: readonly string[]) => {
        const found = await organizations.findMany(ids);
        return (id) => found.get(id);
      }),
    }),
    /**
     * The organization that has verified a domain, or ''. Nobody announces a change, so compare it with the domains of the organization. What is
     * missing here may be a minute old.
     */
    domainOwners: createCache({
      name: 'domain-owner',
      load: async (domain) => (await organizations.findByDomain(domain))?.id ?? '',
      isAbsence: (id) => id === '',
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
  return { userTotals, organizations, features, logos, domainProofs, lookUpTxt, stands, livesOf, caches };
}
