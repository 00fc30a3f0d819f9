export { addOrganization } from './add-organization.js';
export { addDomain, changeDomain, removeDomain } from './change-domains.js';
export { type Change, type ChangeOrganizationDeps, changeOrganization } from './change-organization.js';
export { type EachOrganizationDeps, inEachOrganization } from './in-each-organization.js';
export {
  type DomainLists,
  domainsOf,
  findDomain,
  type OrganizationDomain,
  requireDomain,
  withDomain,
} from './organization-domains.js';
export { organizationEvent } from './organization-events.js';
export {
  blankOrganization,
  changedOrganization,
  requireDomainName,
  requireName,
  requireOrganizationId,
} from './organization-rules.js';
export { type OrganizationStandsDeps, organizationStands } from './organization-stands.js';
export {
  type NamePlace,
  namePlaceOf,
  type OrganizationsStore,
  organizationNamesUpgrade,
} from './organizations.store.js';
export { requireOrganization } from './require-organization.js';
export { requireSignInPolicy } from './sign-in-policy-rules.js';
export type { CountFactors, UserTotalsStore } from './user-totals.store.js';
