export {
  type OpenedOrganizations,
  openOrganizations,
  organizationCollections,
} from './open-organizations.js';
