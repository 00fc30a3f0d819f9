export type { IdentifierKind, IdentifiersStore } from './identifiers.store.js';
export { requireAddressable } from './require-addressable.js';
export {
  type IdentifierDeps,
  type IdentifierSurvey,
  reserveIdentifier,
  surveyIdentifiers,
} from './survey-identifiers.js';
