import type { Mongo } from '#src/platform/mongo/mongo.js';
import {
  type BatchRemovedUser,
  createRemovedUserBatcher,
  type RemovedUserBatcherDeps,
} from './batch-removed-users.js';
import {
  createOrganizationContentsStore,
  type OrganizationContentsStore,
} from './organization-contents.store.js';

/** What the room offers. */
export interface OpenedRemoval {
  readonly organizationContents: OrganizationContentsStore;
  readonly batchRemovedUser: BatchRemovedUser;
}

/** Opens the removal of everything that belongs to an organization, and the writer that combines simultaneous removals of users. */
export function openRemoval(needs: RemovedUserBatcherDeps & { readonly mongo: Mongo }): OpenedRemoval {
  return {
    organizationContents: createOrganizationContentsStore(needs.mongo),
    batchRemovedUser: createRemovedUserBatcher(needs),
  };
}
