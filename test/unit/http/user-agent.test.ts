import t from 'tap';
import { userAgentOf } from '#src/http/user-agent.js';

t.test('a user agent is bounded and has no control characters', async (t) => {
  const of = (text?: string) => userAgentOf({ headers: text === undefined ? {} : { 'user-agent': text } });
  t.equal(of('Firefox/128'), 'Firefox/128');
  t.equal(of('a\u0000b\u001b[31m\u202ec'), 'ab[31mc');
  t.equal(of('x'.repeat(10_000))?.length, 200);
  t.equal(of(' \u0007 '), undefined);
  t.equal(of(), undefined);
});
