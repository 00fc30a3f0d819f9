import type { Mongo } from '#src/platform/mongo/mongo.js';
import {
  createOrganizationContentsStore,
  type OrganizationContentsStore,
} from './organization-contents.store.js';

/** What the room offers. */
export interface OpenedRemoval {
  readonly organizationContents: OrganizationContentsStore;
}

/** Opens the removal of everything that belongs to an organization. */
export function openRemoval({ mongo }: { readonly mongo: Mongo }): OpenedRemoval {
  return { organizationContents: createOrganizationContentsStore(mongo) };
}
