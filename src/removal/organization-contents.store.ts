import type { Document } from 'mongodb';
import type { Mongo } from '#src/platform/mongo/mongo.js';

/** Removes what belongs to an organization, a bounded number of documents at a time. */
export interface OrganizationContentsStore {
  /** Names and identifiers of the next objects of the organization, at most 1,000. Empty if the collection has no more. */
  next(orgId: string, collection: ContentCollection): Promise<ContentItem[]>;
  /** Removes these objects. */
  remove(orgId: string, collection: ContentCollection, ids: readonly string[]): Promise<void>;
  /** Removes what else names these users or service users: roles and streams of events in other organizations, links, and refresh tokens. */
  removeOfUsers(userIds: readonly string[]): Promise<void>;
  /** Removes the organization from the audiences of the projects of others. Returns the changed projects. */
  leaveAudiences(orgId: string): Promise<string[]>;
}

/** An object of the organization. */
export interface ContentItem {
  readonly id: string;
  /** Of roles and personal access tokens: whose they are. */
  readonly userId?: string;
  /** Of applications. */
  readonly redirectUris?: readonly string[];
}

const atOnce = 1_000;

/**
 * Every collection with objects of organizations, and the field that names the organization. Those who can call and sign in come
 * first. `jobs` and `events` are last, so that they tell about the removal while it runs.
 */
const fieldOf = {
  serviceUsers: 'orgId',
  applications: 'orgId',
  connections: 'orgId',
  setupLinks: 'orgId',
  personalAccessTokens: 'orgId',
  users: 'orgId',
  userTotals: 'orgId',
  memberships: 'scope',
  groups: 'orgId',
  groupMembers: 'orgId',
  applicationGrants: 'orgId',
  consents: 'orgId',
  userGrants: 'orgId',
  groupGrants: 'orgId',
  projectMembers: 'orgId',
  projectRoles: 'orgId',
  projects: 'orgId',
  userMetadata: 'orgId',
  identityLinks: 'orgId',
  webauthnCredentials: 'orgId',
  one_time_links: 'orgId',
  refreshFamilies: 'orgId',
  rememberedBrowsers: 'orgId',
  identifiers: 'orgId',
  secretUses: 'orgId',
  provisioningLog: 'orgId',
  eventReceivers: 'orgId',
  notices: 'orgId',
  logos: 'orgId',
  domainProofs: 'orgId',
  jobs: 'orgId',
  events: 'aggregate.resourceOwner',
} as const satisfies Record<string, string>;

export type ContentCollection = keyof typeof fieldOf;

/** In the order of removal. */
export const contentCollections = Object.keys(fieldOf) as ContentCollection[];

export function createOrganizationContentsStore(mongo: Mongo): OrganizationContentsStore {
  const collection = (name: string) => mongo.collection<Document & { _id: string }>(name);
  return {
    async next(orgId, name) {
      const found = await collection(name)
        .find({ [fieldOf[name]]: orgId }, { projection: { userId: 1, redirectUris: 1 } })
        .limit(atOnce)
        .batchSize(atOnce + 1)
        .toArray();
      return found.map(({ _id, userId, redirectUris }) => ({
        id: _id,
        ...(typeof userId === 'string' && { userId }),
        ...(Array.isArray(redirectUris) && { redirectUris }),
      }));
    },
    async remove(orgId, name, ids) {
      if (name === 'jobs') await collection('jobBodies').deleteMany({ _id: { $in: [...ids] } });
      await collection(name).deleteMany({ _id: { $in: [...ids] }, [fieldOf[name]]: orgId });
    },
    async leaveAudiences(orgId) {
      const filter = { audienceOrgIds: orgId };
      const found = await collection('projects')
        .find(filter, { projection: { _id: 1 } })
        .toArray();
      const update = { $pull: { audienceOrgIds: orgId as never }, $inc: { version: 1 } };
      if (found.length > 0) await collection('projects').updateMany(filter, update as never);
      return found.map(({ _id }) => _id);
    },
    async removeOfUsers(userIds) {
      const userId = { $in: [...userIds] };
      await collection('memberships').deleteMany({ userId });
      await collection('eventReceivers').deleteMany({ receiverId: userId });
      await collection('one_time_links').deleteMany({ userId });
      await collection('refreshFamilies').deleteMany({ userId });
      await collection('refreshFamilies').deleteMany({ actors: userId });
    },
  };
}
