import { type Collection, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb';
import type { CollectionIndexes, Mongo } from './mongo.js';

/** What makes two indexes the same, apart from their names. */
function definitionOf(index: IndexDescription | IndexDescriptionInfo): string {
  const { key, unique = false, sparse = false, partialFilterExpression = null } = index;
  const fields = key instanceof Map ? [...key] : Object.entries(key);
  return JSON.stringify([
    fields.map(([field, order]) => [field, order]),
    unique,
    sparse,
    partialFilterExpression,
  ]);
}

/**
 * Creates the declared collections and indexes that are missing. If an index with the same fields exists from
 * an earlier version, the declared one is created beside it under another name. Processes of that version may
 * need the former index until {@link dropFormerIndexes}.
 */
export async function ensureIndexes(mongo: Mongo, declarations: readonly CollectionIndexes[]): Promise<void> {
  const collections = await mongo.db.listCollections({}, { nameOnly: true }).toArray();
  const existing = new Set(collections.map(({ name }) => name));
  for (const { collection, indexes } of declarations) {
    if (!existing.has(collection)) await mongo.db.createCollection(collection).catch(ignoreExisting);
    if (indexes.length > 0) await ensureIndexesOf(mongo, mongo.db.collection(collection), indexes);
  }
}

async function ensureIndexesOf(
  mongo: Mongo,
  collection: Collection,
  declared: readonly IndexDescription[],
): Promise<void> {
  const present = await collection.indexes();
  const names = new Set(present.map(({ name }) => name));
  const missing: IndexDescription[] = [];
  for (const index of declared) {
    const found = present.find((one) => definitionOf(one) === definitionOf(index));
    if (found === undefined) missing.push(withFreeName(index, names));
    else if (
      index.expireAfterSeconds !== undefined &&
      found.expireAfterSeconds !== index.expireAfterSeconds
    ) {
      const { expireAfterSeconds } = index;
      await mongo.db.command({
        collMod: collection.collectionName,
        index: { name: found.name, expireAfterSeconds },
      });
    }
  }
  if (missing.length > 0) await collection.createIndexes(missing);
}

/** The names that the driver would give, with a number if another index has the name. */
function withFreeName(index: IndexDescription, names: Set<string | undefined>): IndexDescription {
  const fields = index.key instanceof Map ? [...index.key] : Object.entries(index.key);
  const usual = index.name ?? fields.map((field) => field.join('_')).join('_');
  let name = usual;
  for (let number = 2; names.has(name); number++) name = `${usual}_${number}`;
  names.add(name);
  return { ...index, name };
}

/**
 * Drops the indexes that this version does not declare, in the declared collections. Hashed indexes stay: no version
 * declared one, so they are shard keys of the cluster's operator.
 * @returns the dropped indexes, as `collection.name`
 */
export async function dropFormerIndexes(
  mongo: Mongo,
  declarations: readonly CollectionIndexes[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { collection: name, indexes } of declarations) {
    const collection = mongo.db.collection(name);
    const declared = new Set(indexes.map(definitionOf));
    for (const index of await collection.indexes()) {
      if (index.name === undefined || index.name === '_id_' || declared.has(definitionOf(index))) continue;
      if (Object.values(index.key).includes('hashed')) continue;
      await collection.dropIndex(index.name);
      dropped.push(`${name}.${index.name}`);
    }
  }
  return dropped;
}

function ignoreExisting(error: unknown): void {
  const namespaceExists = 48;
  if (!(error instanceof MongoServerError && error.code === namespaceExists)) throw error;
}
