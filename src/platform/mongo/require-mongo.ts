import { type Db, type MongoClient, MongoServerError } from 'mongodb';
import { StartError } from '../start-failure.js';

/** The oldest version that Muster runs on. Its `maxWireVersion` is 17. */
const oldestVersion = { name: '6.0', wireVersion: 17 };

/**
 * Checks that the server offers what Muster needs.
 * @throws StartError with the cause and what to change
 */
export async function requireMongo(client: MongoClient, db: Db): Promise<void> {
  const { maxWireVersion } = await db.command({ hello: 1 });
  if (maxWireVersion < oldestVersion.wireVersion) {
    throw new StartError(
      `This MongoDB is too old. Muster needs version ${oldestVersion.name} or later; upgrade the server.`,
    );
  }
  try {
    await client.withSession((session) =>
      session.withTransaction(() => db.collection('jobs').findOne({ _id: null as never }, { session })),
    );
  } catch (cause) {
    throw (
      rightsFailure(cause) ?? new StartError(`Muster cannot use this MongoDB: ${explain(cause)}`, { cause })
    );
  }
}

/**
 * The reason if MongoDB refuses the user of `MONGODB_URL`, and what to change. It is told when the process connects, when it
 * checks the server, and when it makes collections and indexes.
 * @returns undefined if the error has another reason
 */
export function rightsFailure(cause: unknown): StartError | undefined {
  if (!(cause instanceof MongoServerError)) return undefined;
  if (cause.code === 18) {
    return new StartError(
      `MongoDB does not accept the user of MONGODB_URL (${cause.message}). Correct the name, the password or authSource.`,
      { cause },
    );
  }
  if (cause.code === 13) {
    return new StartError(
      `The user of MONGODB_URL lacks a right (${cause.message}). Give it the role readWrite on the database.`,
      { cause },
    );
  }
  return undefined;
}

/** What is wrong with the setting or the server, and what to change. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/read preference/i.test(message)) {
    return 'transactions read from the primary. Remove readPreference from MONGODB_URL.';
  }
  if (/write concern/i.test(message)) {
    return 'transactions need acknowledged writes. Remove w and journal from MONGODB_URL.';
  }
  if (error instanceof MongoServerError && error.code === 20) {
    return 'it offers no transactions. Run it as a replica set (one member is enough) or as a sharded cluster.';
  }
  return `a transaction failed (${message}). Muster needs a replica set or a sharded cluster.`;
}
