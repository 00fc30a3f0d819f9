import { createMembershipsStore, membershipIndexes } from '#src/access/memberships/index.js';
import {
  assignmentIndexes,
  createAssignmentsStore,
  createProjectRolesStore,
  createProjectsStore,
  projectIndexes,
  projectRoleIndexes,
} from '#src/access/projects/index.js';
import { createAccountsStore, createOneTimeLinksStore, oneTimeLinkIndexes } from '#src/accounts/index.js';
import { createEventReceiversStore, eventReceiverIndexes } from '#src/audit/event-receivers.store.js';
import { createEventsStore, eventIndexes } from '#src/audit/events.store.js';
import { applicationIndexes, createApplicationsStore } from '#src/clients/applications/index.js';
import { consentIndexes, createConsentsStore } from '#src/clients/consents/index.js';
import { createSecretUsesStore, secretUseIndexes } from '#src/clients/credentials/index.js';
import { applicationGrantIndexes, createApplicationGrantsStore } from '#src/clients/grants/index.js';
import {
  createPersonalAccessTokensStore,
  createServiceUsersStore,
  personalAccessTokenIndexes,
  serviceUserIndexes,
} from '#src/clients/service-users/index.js';
import { createIdentifiersStore, identifierIndexes } from '#src/directory/identifiers/index.js';
import { createJobsStore, jobBodyIndexes, jobIndexes } from '#src/jobs/jobs.store.js';
import { createStagingStore, stagingIndexes } from '#src/jobs/staging.store.js';
import type { Sealer } from '#src/keys/sealer.js';
import { signingKeyIndexes } from '#src/keys/signing-keys.store.js';
import {
  createImportOrganizationsStore,
  importOrganizationIndexes,
} from '#src/migration/import/stores/import-organizations.store.js';
import {
  createImportPartsStore,
  importPartIndexes,
} from '#src/migration/import/stores/import-parts.store.js';
import {
  createImportResultsStore,
  importResultIndexes,
} from '#src/migration/import/stores/import-results.store.js';
import { createImportsStore, importIndexes } from '#src/migration/import/stores/imports.store.js';
import { createUploadsStore, uploadIndexes } from '#src/migration/import/stores/uploads.store.js';
import { createFeaturesStore, featureIndexes } from '#src/organizations/features/index.js';
import {
  createOrganizationsStore,
  createUserTotalsStore,
  organizationIndexes,
  userTotalIndexes,
} from '#src/organizations/index.js';
import {
  createGroupMembersStore,
  createGroupsStore,
  groupIndexes,
  groupMemberIndexes,
} from '#src/people/groups/index.js';
import { createUserMetadataStore, userMetadataIndexes } from '#src/people/metadata/index.js';
import { createUserSearchStore, type UserSearchStore } from '#src/people/search-people/index.js';
import { createUsersStore, userIndexes } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { provisioningLogIndexes } from '#src/provisioning-log/provisioning-log.store.js';
import { createOrganizationContentsStore } from '#src/removal/index.js';
import { refreshTokenIndexes } from '#src/tokens/refresh-tokens.store.js';
import { revocationIndexes } from '#src/tokens/revocations.store.js';

/** Every collection, with its indexes. */
export const collections: readonly CollectionIndexes[] = [
  organizationIndexes,
  userIndexes,
  userTotalIndexes,
  oneTimeLinkIndexes,
  serviceUserIndexes,
  applicationIndexes,
  applicationGrantIndexes,
  consentIndexes,
  projectIndexes,
  projectRoleIndexes,
  ...assignmentIndexes,
  userMetadataIndexes,
  personalAccessTokenIndexes,
  groupIndexes,
  groupMemberIndexes,
  membershipIndexes,
  identifierIndexes,
  secretUseIndexes,
  provisioningLogIndexes,
  eventIndexes,
  eventReceiverIndexes,
  signingKeyIndexes,
  revocationIndexes,
  refreshTokenIndexes,
  featureIndexes,
  jobIndexes,
  jobBodyIndexes,
  stagingIndexes,
  importIndexes,
  uploadIndexes,
  importPartIndexes,
  importOrganizationIndexes,
  importResultIndexes,
];

/**
 * Creates the stores that use cases share. The property names are those of the use cases.
 * @param sealer makes the sealer for a purpose
 */
export function createStores(
  mongo: Mongo,
  { sealer, clock }: { sealer: (purpose: string) => Sealer; clock: Clock },
) {
  const userTotals = createUserTotalsStore(mongo);
  const userSearch: UserSearchStore = createUserSearchStore(mongo);
  return {
    organizations: createOrganizationsStore(mongo, userTotals),
    organizationContents: createOrganizationContentsStore(mongo),
    users: createUsersStore(mongo, userTotals),
    userTotals,
    userSearch,
    accounts: createAccountsStore(mongo),
    oneTimeLinks: createOneTimeLinksStore(mongo),
    serviceUsers: createServiceUsersStore(mongo),
    applications: createApplicationsStore(mongo),
    applicationGrants: createApplicationGrantsStore(mongo),
    consents: createConsentsStore(mongo),
    projects: createProjectsStore(mongo),
    projectRoles: createProjectRolesStore(mongo),
    userGrants: createAssignmentsStore(mongo, 'grant'),
    groupGrants: createAssignmentsStore(mongo, 'groupGrant'),
    projectMembers: createAssignmentsStore(mongo, 'member'),
    userMetadata: createUserMetadataStore(mongo),
    personalAccessTokens: createPersonalAccessTokensStore(mongo),
    groups: createGroupsStore(mongo),
    groupMembers: createGroupMembersStore(mongo),
    memberships: createMembershipsStore(mongo),
    identifiers: createIdentifiersStore(mongo),
    secretUsesStore: createSecretUsesStore(mongo),
    features: createFeaturesStore(mongo),
    events: createEventsStore(mongo),
    eventReceivers: createEventReceiversStore(mongo),
    jobs: createJobsStore(mongo, sealer('job-body'), clock),
    staging: createStagingStore(mongo, sealer('staging')),
    imports: createImportsStore(mongo),
    uploads: createUploadsStore(mongo),
    importParts: createImportPartsStore(mongo),
    importOrganizations: createImportOrganizationsStore(mongo),
    importResults: createImportResultsStore(mongo),
  };
}
