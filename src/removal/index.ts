export { beginRemoval, removalEvent } from './begin-removal.js';
export { openRemoval } from './open-removal.js';
export { readRemoval, serializeRemoval } from './removal-request.js';
export { removeApplication } from './remove-application.js';
export { removeGroup } from './remove-group.js';
export { removeProject } from './remove-project.js';
export { removeServiceUser } from './remove-service-user.js';
export { removeUser } from './remove-user.js';
export { type Removed, sweepOrganization } from './sweep-organization.js';
