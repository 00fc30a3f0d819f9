import { BSON } from 'bson';
import { keepExpressions } from './beside-equality.js';
import { scan, text, without } from './bson-scan.js';
import { type Call, element, type Run } from './call.js';
import type { Cursors } from './cursors.js';
import { CommandError } from './errors.js';
import type { IndexBuilds } from './index-builds.js';
import type { Row } from './pg-connection.js';
import type { PgPool } from './pg-pool.js';
import type { Parameter, Statement } from './pg-protocol.js';
import { STATEMENTS } from './statements.js';
import { encode } from './wire.js';

/** The objects that commands work with. */
export interface Engine {
  pool: PgPool;
  cursors: Cursors;
  indexBuilds: IndexBuilds;
}

type Handler = (engine: Engine, call: Call, run: Run) => Promise<Buffer>;

async function single(run: Run, statement: Statement, parameters: readonly Parameter[]): Promise<Buffer> {
  const rows = await run(statement, parameters);
  const reply = rows[0]?.[0];
  if (!reply) {
    throw new CommandError(1, `the engine gave no result for ${statement.name}`);
  }
  return reply;
}

function plain(statement: Statement): Handler {
  return (_engine, call, run) => single(run, statement, [call.db, call.spec]);
}

function cursorPage(statement: Statement): Handler {
  return async (engine, call, run) => {
    const [page, continuation, id] = firstRow(await run(statement, [call.db, call.spec]));
    if (continuation && id) {
      engine.cursors.keep(id.readBigInt64BE(0), namespaceOf(page), continuation);
    }
    return page;
  };
}

/** The namespace that a first page tells, with which the client asks for further pages. */
function namespaceOf(page: Buffer): string {
  const cursor = scan(page).find(({ name }) => name === 'cursor');
  const fields = cursor === undefined ? undefined : page.subarray(cursor.value, cursor.end);
  const namespace = fields && scan(fields).find(({ name }) => name === 'ns');
  return fields === undefined || namespace === undefined ? '' : text(fields, namespace);
}

function firstRow(rows: Row[]): [Buffer, Buffer | null | undefined, Buffer | null | undefined] {
  const [page, continuation, id] = rows[0] ?? [];
  if (!page) {
    throw new CommandError(1, 'the engine gave no cursor page');
  }
  return [page, continuation, id];
}

const getMore: Handler = async (engine, call, run) => {
  const id = call.body.readBigInt64LE(call.elements[0]?.value ?? 0);
  const collection = element(call, 'collection');
  const namespace = `${call.db}.${collection === undefined ? '' : text(call.body, collection)}`;
  const continuation = engine.cursors.find(id, namespace);
  const [page, next] = firstRow(await run(STATEMENTS.getMore, [call.db, call.spec, continuation]));
  engine.cursors.keep(id, namespace, next ?? null);
  return page;
};

const killCursors: Handler = async (engine, call, run) => {
  const list = element(call, 'cursors');
  const array = list === undefined ? undefined : call.body.subarray(list.value, list.end);
  const ids = array === undefined ? [] : scan(array).map((item) => array.readBigInt64LE(item.value));
  const killed = ids.filter((id) => engine.cursors.kill(id));
  for (const id of killed) {
    await run(STATEMENTS.deleteCursor, [id]);
  }
  return encode({
    cursorsKilled: killed.map((id) => BSON.Long.fromBigInt(id)),
    cursorsNotFound: ids.filter((id) => !killed.includes(id)).map((id) => BSON.Long.fromBigInt(id)),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1,
  });
};

/**
 * A filter that matches every document. With this form, the engine counts instead of estimating from its statistics.
 */
const EVERY = encode({ query: { _id: { $gte: new BSON.MinKey() } } });
const QUERY = new Set(['query']);

const count: Handler = (_engine, call, run) => {
  const query = element(call, 'query');
  if (query !== undefined && query.end - query.value > 5) {
    return single(run, STATEMENTS.count, [call.db, call.spec]);
  }
  const rest = without(call.spec, scan(call.spec), QUERY);
  const spec = Buffer.concat([rest.subarray(0, -1), EVERY.subarray(4)]);
  spec.writeInt32LE(spec.length, 0);
  return single(run, STATEMENTS.count, [call.db, spec]);
};

const explain: Handler = async (_engine, call, run) => {
  const inner = call.elements[0];
  if (inner?.type !== 0x03) {
    throw new CommandError(9, 'explain needs a command document');
  }
  const spec = keepExpressions(call.body.subarray(inner.value, inner.end));
  const name = scan(spec)[0]?.name;
  if (name !== 'find' && name !== 'aggregate') {
    throw new CommandError(238, 'only find and aggregate are explained');
  }
  const statement = name === 'find' ? STATEMENTS.explainFind : STATEMENTS.explainAggregate;
  const rows = await run(statement, [call.db, spec]);
  return encode({ queryPlanner: { namespace: call.db, plan: rows.map((row) => String(row[0])) }, ok: 1 });
};

/** Commands that go to the engine, by name. */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['find', cursorPage(STATEMENTS.find)],
  ['aggregate', cursorPage(STATEMENTS.aggregate)],
  ['listCollections', cursorPage(STATEMENTS.listCollections)],
  [
    'listIndexes',
    async (engine, call, run) =>
      engine.indexBuilds.listed(call, await cursorPage(STATEMENTS.listIndexes)(engine, call, run)),
  ],
  ['getMore', getMore],
  ['killCursors', killCursors],
  ['findAndModify', plain(STATEMENTS.findAndModify)],
  ['count', count],
  ['distinct', plain(STATEMENTS.distinct)],
  ['create', plain(STATEMENTS.create)],
  [
    'createIndexes',
    (engine, call, run) =>
      engine.indexBuilds.build(call, () => single(run, STATEMENTS.createIndexes, [call.db, call.spec])),
  ],
  [
    'dropIndexes',
    async (engine, call, run) => {
      const reply = await single(run, STATEMENTS.dropIndexes, [call.db, call.spec]);
      engine.cursors.killPlans(`${call.db}.${call.target}`);
      return reply;
    },
  ],
  ['collMod', (_engine, call, run) => single(run, STATEMENTS.collMod, [call.db, call.target, call.spec])],
  ['collStats', (_engine, call, run) => single(run, STATEMENTS.collStats, [call.db, call.target])],
  ['dbStats', (_engine, call, run) => single(run, STATEMENTS.dbStats, [call.db])],
  ['listDatabases', (_engine, call, run) => single(run, STATEMENTS.listDatabases, [call.spec])],
  ['renameCollection', (_engine, call, run) => single(run, STATEMENTS.renameCollection, [call.spec])],
  ['explain', explain],
  [
    'drop',
    async (_engine, call, run) => {
      await run(STATEMENTS.drop, [call.db, call.target]);
      return encode({ ns: `${call.db}.${call.target}`, ok: 1 });
    },
  ],
  [
    'dropDatabase',
    async (_engine, call, run) => {
      await run(STATEMENTS.dropDatabase, [call.db]);
      return encode({ dropped: call.db, ok: 1 });
    },
  ],
  [
    'ping',
    async (_engine, _call, run) => {
      await run(STATEMENTS.ping, []);
      return encode({ ok: 1 });
    },
  ],
]);
