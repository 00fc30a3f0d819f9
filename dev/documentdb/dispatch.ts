import { keepExpressions } from './beside-equality.js';
import { scan } from './bson-scan.js';
import { type Call, element, type Run } from './call.js';
import { COMMANDS, type Engine } from './commands.js';
import { duplicateOfCommand } from './duplicate-key.js';
import { CommandError, isCreationRace, isDuplicateKey, toCommandError, writeConflict } from './errors.js';
import { type Faults, hasPrimary, helloOfMember, refuseAsServer } from './faults.js';
import { requireUsableHint } from './hints.js';
import type { IndexBuilds } from './index-builds.js';
import { hello, LOCAL } from './local-commands.js';
import type { ParallelArrays } from './parallel-arrays.js';
import { EngineError, EngineGone } from './pg-connection.js';
import type { Transaction, Transactions } from './transactions.js';
import { encode } from './wire.js';
import { type Outcome, write } from './writes.js';

/** Commands that find documents by a query. */
const queries = new Set(['find', 'aggregate', 'count', 'distinct']);

/** The objects that all commands of a gateway share. */
export interface Gateway extends Engine {
  transactions: Transactions;
  indexBuilds: IndexBuilds;
  parallelArrays: ParallelArrays;
  faults: Faults;
  socketPath: string;
  /** The port at which clients connect. */
  port: number;
}

/** The part of a client connection that commands use. */
export interface Client {
  id: number;
}

/** Answers one command with its reply document. Throws CommandError, or EngineGone if PostgreSQL is gone. */
export async function dispatch(gateway: Gateway, client: Client, call: Call): Promise<Buffer> {
  switch (call.name) {
    case 'hello':
    case 'isMaster':
    case 'ismaster':
      await gateway.pool.mend();
      return encode(hello(client.id, helloOfMember(gateway.faults, gateway.port)));
    case 'gatewaySocket':
      // For tests that start a gateway of their own in front of the same database.
      return encode({ path: gateway.socketPath, ok: 1 });
    case 'commitTransaction':
    case 'abortTransaction':
      return endTransaction(gateway, call);
    case 'endSessions':
    case 'killSessions':
      await gateway.transactions.endSessions(sessionsIn(call));
      return encode({ ok: 1 });
    case 'killAllSessions':
    case 'killAllSessionsByPattern':
      await gateway.transactions.endSessions(gateway.transactions.sessions());
      return encode({ ok: 1 });
    default:
  }
  if (!hasPrimary(gateway.faults)) {
    await gateway.transactions.endSessions(gateway.transactions.sessions());
  }
  try {
    refuseAsServer(gateway.faults, call);
  } catch (error) {
    // An error ends the transaction, whatever the command was.
    if (call.transaction !== null) {
      await gateway.transactions.abort(call.transaction.session, call.transaction.number);
    }
    throw error;
  }
  const local = LOCAL.get(call.name) ?? LOCAL.get(call.name === 'buildinfo' ? 'buildInfo' : '');
  if (local !== undefined) {
    return encode(local());
  }
  if (call.transaction === null) {
    try {
      const outcome = await perform(gateway, call, (statement, parameters) =>
        gateway.pool.run(statement, parameters),
      );
      return outcome.reply;
    } catch (error) {
      throw await explained(gateway, call, error);
    }
  }
  const { session, number, starts } = call.transaction;
  const transaction = starts
    ? await gateway.transactions.start(session, number, client)
    : gateway.transactions.find(session, number, client);
  return inTransaction(gateway, call, transaction);
}

async function inTransaction(gateway: Gateway, call: Call, transaction: Transaction): Promise<Buffer> {
  if (transaction.busy > 0) {
    throw new CommandError(20, `${call.name} while another command of its transaction runs`);
  }
  transaction.busy += 1;
  let failed = true;
  try {
    const outcome = await perform(gateway, call, (statement, parameters) =>
      transaction.connection.run(statement, parameters),
    );
    failed = outcome.failed;
    return outcome.reply;
  } catch (error) {
    throw await explained(gateway, call, error);
  } finally {
    transaction.busy -= 1;
    if (failed) {
      await gateway.transactions.rollBack(transaction);
    }
  }
}

async function perform(gateway: Gateway, call: Call, run: Run): Promise<Outcome> {
  const { name } = call;
  if (name === 'insert' || name === 'update' || name === 'findAndModify')
    await gateway.parallelArrays.refuse(call);
  if (name === 'insert' || name === 'update' || name === 'delete') {
    return write(gateway.pool, { ...call, name }, run);
  }
  if (name === 'find' || name === 'aggregate') await requireUsableHint(gateway.pool, call);
  const handler = COMMANDS.get(name === 'findandmodify' ? 'findAndModify' : name);
  if (handler === undefined) {
    throw new CommandError(59, `no such command: '${name}'`);
  }
  const reply = await handler(
    gateway,
    queries.has(name) ? { ...call, spec: keepExpressions(call.spec) } : call,
    run,
  );
  gateway.parallelArrays.changedBy(call);
  return { reply, failed: false };
}

async function explained(gateway: Gateway, call: Call, error: unknown): Promise<unknown> {
  if (isDuplicateKey(error) && call.name !== 'createIndexes') {
    return duplicateOfCommand(gateway.pool, error, `${call.db}.${call.target}`);
  }
  if (error instanceof EngineError) {
    if (call.transaction !== null && isCreationRace(error)) {
      return writeConflict(error.message);
    }
    // Class 57P: the server is shutting down, was killed, or has not started yet.
    return error.sqlState.startsWith('57P') ? new EngineGone(error.message) : toCommandError(error);
  }
  return error;
}

async function endTransaction(gateway: Gateway, call: Call): Promise<Buffer> {
  if (call.transaction === null) {
    throw new CommandError(125, `${call.name} outside of a transaction`);
  }
  const { session, number } = call.transaction;
  if (call.name === 'commitTransaction') {
    await gateway.transactions.commit(session, number);
  } else {
    await gateway.transactions.abort(session, number);
  }
  return encode({ ok: 1 });
}

/** The sessions in an array of session ids, in the form that calls carry. */
function sessionsIn(call: Call): string[] {
  const list = element(call, call.name);
  if (list?.type !== 0x04) {
    return [];
  }
  const array = call.body.subarray(list.value, list.end);
  return scan(array).map((item) => array.toString('latin1', item.value, item.end));
}
