import { BSON } from 'bson';
import { type Call, element, type Run } from './call.js';
import { duplicateOfWrite } from './duplicate-key.js';
import { CommandError, writeErrorCode } from './errors.js';
import type { PgPool } from './pg-pool.js';
import { STATEMENTS } from './statements.js';
import { encode } from './wire.js';

interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

/** A reply, and whether the command succeeded. A failed command ends its transaction. */
export interface Outcome {
  reply: Buffer;
  failed: boolean;
}

/** insert, update and delete: returns the engine's own reply, unless some operations failed. */
export async function write(
  pool: PgPool,
  call: Call & { name: 'insert' | 'update' | 'delete' },
  run: Run,
): Promise<Outcome> {
  const rows = await run(STATEMENTS[call.name], [call.db, call.spec, call.sequence]);
  const reply = rows[0]?.[0];
  if (!reply) {
    throw new CommandError(1, `the engine gave no result for ${call.name}`);
  }
  if (rows[0]?.[1]?.[0] === 1) {
    return { reply, failed: false };
  }
  return { reply: encode(await rewrite(pool, call, BSON.deserialize(reply))), failed: true };
}

async function rewrite(pool: PgPool, call: Call, reply: BSON.Document): Promise<BSON.Document> {
  const errors = (reply['writeErrors'] ?? []) as WriteError[];
  const rewritten: BSON.Document[] = [];
  for (const error of errors) {
    const code = writeErrorCode(error.code);
    if (code === 112) {
      throw new CommandError(
        112,
        error.errmsg,
        call.transaction === null ? [] : ['TransientTransactionError'],
      );
    }
    if (code === 11000) {
      const document = written(call, error.index);
      const target = { db: call.db, collection: call.target, message: error.errmsg, document };
      rewritten.push({ ...error, code, ...(await duplicateOfWrite(pool, target)) });
    } else {
      rewritten.push({ ...error, code });
    }
  }
  return { ...reply, writeErrors: rewritten };
}

/** The values that the operation at `index` was to write, as far as the operation states them. */
function written(call: Call, index: number): BSON.Document | undefined {
  const operation = operations(call)[index];
  if (operation === undefined || call.name === 'insert') {
    return operation;
  }
  const update: unknown = operation['u'];
  if (typeof update !== 'object' || update === null || Array.isArray(update)) {
    return undefined;
  }
  const document = update as BSON.Document;
  return { ...operation['q'], ...document, ...document['$setOnInsert'], ...document['$set'] };
}

/** The operations of a write command, from its sequence or from its array. */
function operations(call: Call): BSON.Document[] {
  if (call.sequence !== null) {
    const documents: BSON.Document[] = [];
    for (let at = 0; at < call.sequence.length; ) {
      const size = call.sequence.readInt32LE(at);
      documents.push(BSON.deserialize(call.sequence.subarray(at, at + size)));
      at += size;
    }
    return documents;
  }
  const field = { insert: 'documents', update: 'updates', delete: 'deletes' }[call.name] ?? '';
  const array = element(call, field);
  return array === undefined
    ? []
    : Object.values(BSON.deserialize(call.body.subarray(array.value, array.end)));
}
