import t from 'tap';
import { parsePollRequest } from '#src/scim/events/poll-request.js';

t.test('a poll may have nothing', async (t) => {
  t.same(parsePollRequest({}), { maxEvents: 100, acknowledged: [] });
  t.same(parsePollRequest({ returnImmediately: false, unknown: [] }), { maxEvents: 100, acknowledged: [] });
});

t.test('it acknowledges what the receiver has, and what it cannot use', async (t) => {
  const body = {
    ack: ['a', 'b'],
    setErrs: { c: { err: 'invalid_key', description: 'no key' } },
    maxEvents: 0,
  };
  t.same(parsePollRequest(body), { maxEvents: 0, acknowledged: ['a', 'b', 'c'] });
});

t.test('its size is bounded', async (t) => {
  t.equal(parsePollRequest({ maxEvents: 1_000_000 }).maxEvents, 100);
  const many = Array.from({ length: 600 }, (_, n) => String(n));
  const both = { ack: many, setErrs: Object.fromEntries(many.map((jti) => [jti, {}])) };
  t.throws(() => parsePollRequest(both), { message: /more than 1000 tokens/ });
});

t.test('what is no poll', async (t) => {
  for (const body of [undefined, [], 'poll', { ack: 'a' }, { ack: [1] }, { setErrs: ['a'] }])
    t.throws(() => parsePollRequest(body), { message: /must be a/ }, JSON.stringify(body));
  for (const maxEvents of [-1, 1.5, '1', null])
    t.throws(() => parsePollRequest({ maxEvents }), { message: /whole number/ }, String(maxEvents));
});
