import {
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import t from 'tap';
import { toAppError } from '#src/http/base/to-app-error.js';
import { describeOutage } from '#src/platform/describe-outage.js';
import {
  isStoreUnavailable,
  TooManyTransactions,
  TransactionsInConflict,
} from '#src/platform/unavailable.js';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });
const server = (code: number) => new MongoServerError({ message: 'x', code });

/** What MongoDB or Redis throws, and what the client is told: the part, and whether trying again helps. */
const rows: [Error, RegExp][] = [
  [new MongoNetworkError('closed'), /^MongoDB cannot be reached; try again shortly$/],
  [new MongoServerSelectionError('none', {} as never), /^MongoDB cannot be reached; try again shortly$/],
  [server(10107), /^MongoDB refuses work at the moment; try again shortly$/],
  [server(50), /^MongoDB did not do the work within its time\. .* may fail again; ask for less$/],
  [new MongoOperationTimeoutError('late'), /^MongoDB did not do the work within its time/],
  [new TransactionsInConflict(), /^Other requests change the same data .*; try again shortly$/],
  [new TooManyTransactions(), /^Too many changes of the organization .*; send fewer .* try again shortly$/],
  [named('MongoWaitQueueTimeoutError', 'x'), /^All connections to MongoDB are in use; try again shortly$/],
  [named('MaxRetriesPerRequestError', 'x'), /^Redis cannot be reached; try again shortly$/],
  [new Error('Connection is closed.'), /^Redis cannot be reached; try again shortly$/],
  [
    new Error("OOM command not allowed when used memory > 'maxmemory'."),
    /^Redis has no memory left; an operator/,
  ],
];

t.test('a 503 says which store did not do its work, and what helps', async (t) => {
  for (const [error, words] of rows) {
    t.ok(isStoreUnavailable(error), String(words));
    t.match(describeOutage(error), words);
    const told = toAppError(error);
    t.equal(told.definition.id, 'http.storeUnavailable');
    t.match(told.message, words);
    t.equal(told.retryAfterSeconds, 2);
  }
});
