export {
  createIdentifiersStore,
  type IdentifierKind,
  type IdentifiersStore,
  identifierIndexes,
} from './identifiers.store.js';
export { requireAddressable } from './require-addressable.js';
export {
  type IdentifierDeps,
  type IdentifierSurvey,
  reserveIdentifier,
  surveyIdentifiers,
} from './survey-identifiers.js';
