import { MongoError } from 'mongodb';
import t from 'tap';
import { runTransaction } from '#src/platform/mongo-transaction.js';

/** A session that notes what is asked of it; its commits fail with these errors first. */
function openSession(...commitErrors: Error[]) {
  const calls: string[] = [];
  let isOpen = false;
  return {
    calls,
    startTransaction() {
      isOpen = true;
      calls.push('start');
    },
    async commitTransaction() {
      isOpen = false;
      calls.push('commit');
      const error = commitErrors.shift();
      if (error !== undefined) throw error;
    },
    async abortTransaction() {
      isOpen = false;
      calls.push('abort');
    },
    inTransaction: () => isOpen,
  };
}

function labelled(label: string, code = 0): MongoError {
  const error = new MongoError(label);
  error.addErrorLabel(label);
  error.code = code;
  return error;
}

const conflict = labelled('TransientTransactionError');
const unknown = labelled('UnknownTransactionCommitResult');

t.test('what is done is committed once', async (t) => {
  const session = openSession();
  t.equal(await runTransaction(session, async () => 'done'), 'done');
  t.same(session.calls, ['start', 'commit']);
});

t.test('a conflict, in the work or at its end, begins it anew', async (t) => {
  const session = openSession(conflict);
  const failures = [conflict];
  const result = await runTransaction(session, async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return 'done';
  });
  t.equal(result, 'done');
  t.same(session.calls, ['start', 'abort', 'start', 'commit', 'start', 'commit']);
});

t.test('a commit whose answer was lost is asked for again, and the work is not', async (t) => {
  const session = openSession(unknown, unknown);
  t.equal(await runTransaction(session, async () => 'done'), 'done');
  t.same(session.calls, ['start', 'commit', 'commit', 'commit']);
});

t.test('any other error ends it', async (t) => {
  const session = openSession();
  await t.rejects(
    runTransaction(session, () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.same(session.calls, ['start', 'abort']);
  const late = openSession(labelled('UnknownTransactionCommitResult', 50));
  await t.rejects(
    runTransaction(late, async () => undefined),
    { code: 50 },
  );
  t.same(late.calls, ['start', 'commit']);
});

t.test('after its time it is not tried again, and says what was in the way', async (t) => {
  const session = openSession();
  let attempts = 0;
  const work = async () => {
    attempts++;
    throw conflict;
  };
  t.equal(await runTransaction(session, work, { limitMs: 50 }).catch((error: unknown) => error), conflict);
  t.ok(attempts > 1, `${attempts} attempts`);
  const lost = openSession(...Array.from({ length: 100_000 }, () => unknown));
  const given = await runTransaction(lost, async () => undefined, { limitMs: -1 }).catch((error) => error);
  t.equal(given, unknown);
  t.same(lost.calls, ['start', 'commit']);
});
