import type { Mongo } from '#src/platform/mongo/mongo.js';
import {
  createIdentifiersStore,
  type IdentifiersStore,
  identifierIndexes,
} from '../identifiers/identifiers.store.js';

/** The collections of the room, with their indexes. */
export const directoryCollections = [identifierIndexes];

/** What the room offers. */
export interface OpenedDirectory {
  readonly identifiers: IdentifiersStore;
}

/** Opens the record of which object has which identifier. */
export function openDirectory({ mongo }: { readonly mongo: Mongo }): OpenedDirectory {
  return { identifiers: createIdentifiersStore(mongo) };
}
