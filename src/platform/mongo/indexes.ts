import { type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb';
import { upserted } from './duplicate-key.js';

/** The indexes of a collection, declared beside its store and created at start. */
export interface CollectionIndexes {
  readonly collection: string;
  readonly indexes: IndexDescription[];
}

/** The collection that remembers which indexes Muster made, so that an upgrade removes no others. */
const madeCollection = 'madeIndexes';

/** An index that Muster made or found at start. */
interface MadeIndex {
  readonly _id: string;
}

const madeId = (collection: string, definition: string) => `${collection} ${definition}`;

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
 * Creates the declared collections and indexes that are missing, and waits for those that another process makes. If an index
 * with the same fields exists from an earlier version, the declared one is created beside it under another name. Processes
 * of that version may need the former index until {@link dropFormerIndexes}.
 * @param warn is called if the rights of the user do not suffice for a change that can wait
 */
export async function ensureIndexes(
  db: Db,
  declarations: readonly CollectionIndexes[],
  warn: (message: string) => void = () => undefined,
): Promise<void> {
  if (declarations.length === 0) return;
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const existing = new Set(collections.map(({ name }) => name));
  await rememberMade(db, declarations);
  const isMade = ({ collection }: CollectionIndexes) => existing.has(collection);
  // An index of an empty collection costs nothing to build, so these are built at once.
  const absent = declarations.filter((declared) => !isMade(declared));
  await Promise.all(absent.map((declared) => create(db, declared, warn)));
  const surveys = await Promise.all(
    declarations.filter(isMade).map((declared) => surveyIndexes(db, declared, warn)),
  );
  // Nearly every start finds nothing missing. Builds of large indexes come one after another.
  const complete = surveys.filter(({ isComplete }) => isComplete);
  await Promise.all(complete.map((survey) => awaitIndexes(db, survey)));
  for (const survey of surveys) if (!survey.isComplete) await awaitIndexes(db, survey);
}

/** Creates a collection with its indexes. Another process, also of an earlier version, may be doing the same. */
async function create(
  db: Db,
  { collection, indexes }: CollectionIndexes,
  warn: (message: string) => void,
): Promise<void> {
  const isNew = await db.createCollection(collection).then(() => true, ignoreExisting);
  if (!isNew) await awaitIndexes(db, await surveyIndexes(db, { collection, indexes }, warn));
  else if (indexes.length > 0)
    await db.collection(collection).createIndexes(indexes, { commitQuorum: 'majority' });
}

/** Remembers the declared indexes before they are made, so that an interrupted start forgets none. */
async function rememberMade(db: Db, declarations: readonly CollectionIndexes[]): Promise<void> {
  const made = db.collection<MadeIndex>(madeCollection);
  const known = new Set((await made.find().toArray()).map(({ _id }) => _id));
  const ids = declarations.flatMap(({ collection, indexes }) =>
    indexes.map((index) => madeId(collection, definitionOf(index))),
  );
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return;
  const writes = added.map((_id) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: { _id } }, upsert: true },
  }));
  // Another process may start at the same time.
  await upserted(() => made.bulkWrite(writes, { ordered: false }));
}

/** The indexes that a collection should have, under the names that they have or get. */
interface IndexSurvey {
  readonly collection: string;
  readonly wanted: IndexDescription[];
  /** Whether it has all of them, or they are being made. */
  readonly isComplete: boolean;
}

async function surveyIndexes(
  db: Db,
  { collection, indexes: declared }: CollectionIndexes,
  warn: (message: string) => void,
): Promise<IndexSurvey> {
  if (declared.length === 0) return { collection, wanted: [], isComplete: true };
  let isComplete = true;
  const existing = await db.collection(collection).indexes();
  const names = new Set(existing.map(({ name }) => name));
  const wanted: IndexDescription[] = [];
  for (const index of declared) {
    const found = existing.find((one) => definitionOf(one) === definitionOf(index));
    if (found === undefined) {
      wanted.push(withFreeName(index, names));
      isComplete = false;
    } else {
      const expiry = await adjustExpiry(db, collection, { found, index }, warn);
      wanted.push({ ...index, ...expiry, name: found.name ?? '' });
    }
  }
  return { collection, wanted, isComplete };
}

/** Makes the indexes, and waits for those that others make: the list of a survey has unfinished indexes too. */
async function awaitIndexes(db: Db, { collection, wanted }: IndexSurvey): Promise<void> {
  if (wanted.length > 0) await db.collection(collection).createIndexes(wanted, { commitQuorum: 'majority' });
}

/** Lets documents live as long as declared. @returns how long they live then */
async function adjustExpiry(
  db: Db,
  collection: string,
  { found, index }: { found: IndexDescriptionInfo; index: IndexDescription },
  warn: (message: string) => void,
): Promise<{ expireAfterSeconds?: number }> {
  const { expireAfterSeconds } = index;
  const existing: unknown = found.expireAfterSeconds;
  if (expireAfterSeconds === undefined || existing === expireAfterSeconds) return {};
  try {
    await db.command({ collMod: collection, index: { name: found.name, expireAfterSeconds } });
    return { expireAfterSeconds };
  } catch (error) {
    const unauthorized = 13;
    if (!(error instanceof MongoServerError && error.code === unauthorized)) throw error;
    warn(
      `The user of MONGODB_URL may not change how long documents of ${collection} are kept. They are kept for ` +
        `${existing} s instead of ${expireAfterSeconds} s until it has the action collMod`,
    );
    return { expireAfterSeconds: Number(existing) };
  }
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
 * Drops the indexes that an earlier version of Muster made and this one does not declare. Those of operators stay, and so do
 * shard keys.
 * @returns the dropped indexes, as `collection.name`
 */
export async function dropFormerIndexes(
  db: Db,
  declarations: readonly CollectionIndexes[],
): Promise<string[]> {
  const made = db.collection<MadeIndex>(madeCollection);
  const known = new Set((await made.find().toArray()).map(({ _id }) => _id));
  const dropped: string[] = [];
  for (const { collection, indexes } of declarations) {
    const declared = new Set(indexes.map(definitionOf));
    for (const index of await db.collection(collection).indexes()) {
      const definition = definitionOf(index);
      const _id = madeId(collection, definition);
      if (index.name === undefined || declared.has(definition) || !known.has(_id)) continue;
      await db.collection(collection).dropIndex(index.name);
      await made.deleteOne({ _id });
      dropped.push(`${collection}.${index.name}`);
    }
  }
  return dropped;
}

/** @returns false, if a collection exists already @throws every other error */
function ignoreExisting(error: unknown): false {
  const namespaceExists = 48;
  if (!(error instanceof MongoServerError && error.code === namespaceExists)) throw error;
  return false;
}
