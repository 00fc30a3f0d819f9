export { addPersonalAccessToken } from './add-personal-access-token.js';
export { addServiceUser } from './add-service-user.js';
export { type ChangeServiceUserDeps, changeServiceUser } from './change-service-user.js';
export type { PersonalAccessTokensStore } from './personal-access-tokens.store.js';
export { removePersonalAccessToken } from './remove-personal-access-token.js';
export { isForScimAlone, isScimScope, scimScopes } from './scim-scope.js';
export type { PersonalAccessToken, ServiceUser } from './service-user.js';
export { requireSettings, type ServiceUserSettings } from './service-user-rules.js';
export type { ServiceUsersStore } from './service-users.store.js';
