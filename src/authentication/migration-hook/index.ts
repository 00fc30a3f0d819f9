export { findHookedOrganization } from './find-hooked-organization.js';
export { putMigrationHook } from './put-migration-hook.js';
export { removeMigrationHook } from './remove-migration-hook.js';
export { takeOverPerson } from './take-over-person.js';
export { tryMigrationHook } from './try-migration-hook.js';
