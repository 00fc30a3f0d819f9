import Fastify from 'fastify';
import t from 'tap';
import { directoryErrors } from '#src/directory/errors.js';
import { answerWithProblems } from '#src/http/base/problem.js';
import { blobErrors } from '#src/platform/blobs/transfer/blob-errors.js';
import { AppError } from '#src/platform/errors.js';

const rows: [AppError, number, string | undefined][] = [
  [new AppError(blobErrors.transferFailed), 503, '2'],
  [new AppError(directoryErrors.changing, { retryAfterSeconds: 7 }), 503, '7'],
  [new AppError(directoryErrors.userNotFound), 404, undefined],
];

t.test('every 503 says when to try again, and every error names its identifier in a header', async (t) => {
  for (const [error, status, retryAfter] of rows) {
    const app = Fastify();
    answerWithProblems(app);
    app.get('/', () => Promise.reject(error));
    const { statusCode, headers } = await app.inject('/');
    t.equal(statusCode, status);
    t.equal(headers['retry-after'], retryAfter);
    t.equal(headers['x-error-id'], error.definition.id);
  }
});
