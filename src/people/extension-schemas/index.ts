export { putExtensionSchema, removeExtensionSchema } from './change-extension-schemas.js';
export { extensionLimits, withSchema } from './extension-schema-rules.js';
export { missingValues } from './extension-values.js';
