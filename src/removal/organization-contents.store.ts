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
  identifiers: 'orgId',
  secretUses: 'orgId',
  provisioningLog: 'orgId',
  eventReceivers: 'orgId',
  logos: 'orgId',
