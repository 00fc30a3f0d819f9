import { MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import t from 'tap';
import { isServersFault, isStoreUnavailable, RefusedByServer } from '#src/platform/unavailable.js';

t.test(
  'a Redis that takes no writes for now is away, a command that it does not know is a fault',
  async (t) => {
    for (const message of [
      "OOM command not allowed when used memory > 'maxmemory'.",
      'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
      'NOREPLICAS Not enough good replicas to write.',
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      'Too many Cluster redirections. Last error: Error: Connection is closed.',
      'All keys in the pipeline should belong to the same slots allocation group',
      'MOVED 9745 127.0.0.1:11146',
      'ASK 9745 127.0.0.1:11146',
      'Node is disconnected',
      "Socket timeout. Expecting data, but didn't receive any in 5000ms.",
      'TRYAGAIN Multiple keys request during rehashing of slot',
    ]) {
      t.ok(isStoreUnavailable(new Error(message)), message);
    }
    t.notOk(isStoreUnavailable(new Error("ERR unknown command 'x'")));
  },
);

t.test('a MongoDB that says "not now" by its code or by a label is away', async (t) => {
  for (const code of [
    6, 13, 18, 43, 50, 89, 112, 134, 175, 189, 202, 237, 251, 262, 290, 365, 9001, 10107, 11600, 11601,
  ]) {
    t.ok(isStoreUnavailable(new MongoServerError({ message: 'not now', code })), String(code));
  }
  for (const label of [
    'TransientTransactionError',
    'RetryableWriteError',
    'UnknownTransactionCommitResult',
    'RetryableError',
    'SystemOverloadedError',
  ]) {
    t.ok(isStoreUnavailable(new MongoServerError({ message: 'x', code: 1, errorLabels: [label] })), label);
  }
  t.notOk(isStoreUnavailable(new MongoServerError({ message: 'duplicate', code: 11000 })));
});

t.test('only errors about a document are the fault of the document', async (t) => {
  const failed = (code: number) => new MongoServerError({ message: 'x', code });
  for (const code of [2, 9, 14, 15, 52, 10334, 11000, 17280])
    t.notOk(isServersFault(failed(code)), String(code));
  for (const code of [1, 8, 59, 96, 175, 12345]) t.ok(isServersFault(failed(code)), String(code));
  t.notOk(isServersFault(new Error('A fault of ours')));
  t.ok(isStoreUnavailable(new RefusedByServer(failed(1))));
});

t.test('several inserts that the network cut off say the same as one', async (t) => {
  const bulk = (error: Error) => Reflect.construct(MongoBulkWriteError, [error, undefined]);
  t.ok(isStoreUnavailable(bulk(new MongoNetworkError('connection 5 timed out'))));
  t.notOk(isStoreUnavailable(bulk(new MongoServerError({ message: 'duplicate', code: 11000 }))));
});
