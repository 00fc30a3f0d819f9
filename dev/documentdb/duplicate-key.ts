import { BSON } from 'bson';
import { CommandError } from './errors.js';
import type { EngineError } from './pg-connection.js';
import type { PgPool } from './pg-pool.js';
import { STATEMENTS } from './statements.js';

/** A refused key, in MongoDB's words and fields. */
export interface DuplicateKey {
  errmsg: string;
  keyPattern: BSON.Document;
  keyValue?: BSON.Document;
}

function valueAt(document: BSON.Document, path: string): unknown {
  if (path in document) {
    return document[path];
  }
  let value: unknown = document;
  for (const step of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as BSON.Document)[step] : undefined;
  }
  return value;
}

/** Describes the duplicate. `document` holds the values to write, as far as they are known. */
function describeDuplicate(
  index: { namespace: string; name: string; keyPattern: BSON.Document },
  document: BSON.Document | undefined,
): DuplicateKey {
  const paths = Object.keys(index.keyPattern);
  const values = document === undefined ? [] : paths.map((path) => valueAt(document, path));
  const known = values.length > 0 && values.some((value) => value !== undefined);
  const keyValue = Object.fromEntries(paths.map((path, at) => [path, values[at] ?? null]));
  const shown = paths.map((path) => `${path}: ${known ? BSON.EJSON.stringify(keyValue[path]) : '?'}`);
  return {
    errmsg: `E11000 duplicate key error collection: ${index.namespace} index: ${index.name} dup key: { ${shown.join(', ')} }`,
    keyPattern: index.keyPattern,
    ...(known ? { keyValue } : {}),
  };
}

/** Looks up an index by the name in the engine's message. Runs outside of any transaction. */
export async function duplicateOfWrite(
  pool: PgPool,
  write: { db: string; collection: string; message: string; document: BSON.Document | undefined },
): Promise<DuplicateKey> {
  const name = /Index '(.*)'/.exec(write.message)?.[1] ?? '_id_';
  const rows =
    name === '_id_' ? [] : await pool.run(STATEMENTS.indexByName, [write.db, write.collection, name]);
  const key = rows[0]?.[0];
  const keyPattern = key ? BSON.deserialize(key) : { _id: 1 };
  return describeDuplicate(
    { namespace: `${write.db}.${write.collection}`, name, keyPattern },
    write.document,
  );
}

/** The command error for a duplicate that PostgreSQL itself reported. */
export async function duplicateOfCommand(
  pool: PgPool,
  error: EngineError,
  namespace: string,
): Promise<CommandError> {
  const indexId = /^documents_rum_index_(\d+)$/.exec(error.constraint)?.[1];
  const row =
    indexId === undefined ? undefined : (await pool.run(STATEMENTS.indexByConstraint, [indexId]))[0];
  const index = row?.[2]
    ? {
        namespace: String(row[0]),
        name: String(row[1]),
        keyPattern: BSON.deserialize(row[2]),
      }
    : { namespace, name: '_id_', keyPattern: { _id: 1 } };
  const written = /=\(BSONHEX([0-9a-f]+)/i.exec(error.detail)?.[1];
  const document = written === undefined ? undefined : decode(Buffer.from(written, 'hex'));
  const duplicate = describeDuplicate(index, document);
  return new CommandError(11000, duplicate.errmsg, [], {
    keyPattern: duplicate.keyPattern,
    ...(duplicate.keyValue === undefined ? {} : { keyValue: duplicate.keyValue }),
  });
}

function decode(bytes: Buffer): BSON.Document | undefined {
  try {
    return BSON.deserialize(bytes);
  } catch {
    return undefined;
  }
}
