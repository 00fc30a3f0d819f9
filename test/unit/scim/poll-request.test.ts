import t from 'tap';
import type { EventReceiver } from '#src/audit/event-receivers.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { pollEvents } from '#src/scim/events/poll-events.js';
import { parsePollRequest } from '#src/scim/events/poll-request.js';
import { testThreads } from '../../support/keys/test-threads.js';

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

t.test('one poll passes over so many events of other types, and the next goes on', async (t) => {
  const about = {
    id: 'u',
    orgId: 'o',
    editor: { userId: 'e', service: 'test' },
    sequence: 1,
    date: new Date(),
  };
  const ofType = (type: 'user.human.password.check.succeeded' | 'user.human.added') =>
    newEvent(type, { aggregate: 'user', ...about });
  const all = Array.from({ length: 25_000 }, () => ofType('user.human.password.check.succeeded'));
  const added = ofType('user.human.added');
  all.push(added, ofType('user.human.password.check.succeeded'));
  let receiver: EventReceiver = {
    ...{ position: '0', acknowledged: [], version: 1, expires: new Date(Date.now() + 86_400_000 * 40) },
  };
  let searches = 0;
  const deps = {
    events: {
      async page({ after = '', before = '', limit }: { after?: string; before?: string; limit: number }) {
        searches++;
        const first = all.findIndex(({ id }) => id > after && id < before);
        return { events: first < 0 ? [] : all.slice(first, first + limit), bytes: 0, isCut: false };
      },
      begunBy: async () => new Set<string>(),
    },
    eventReceivers: {
      find: async () => receiver,
      begin: async () => receiver,
      hasAtLeast: async () => false,
      async change(_orgId: string, _receiverId: string, to: EventReceiver) {
        receiver = to;
        return true;
      },
    },
    signingKeys: { active: () => Promise.reject(new Error('nothing is signed')) },
    threads: testThreads(),
    clock: { now: () => new Date(Date.now() + 100_000) },
    config: { baseUrl: 'https://id.example' },
  };
  const context = {
    organization: { id: 'o' },
    editor: about.editor,
  } as unknown as Parameters<typeof pollEvents>[1];
  const poll = async (...acknowledged: string[]) => {
    searches = 0;
    const answer = await pollEvents(deps, context, { maxEvents: 0, acknowledged });
    return { ...answer, searches };
  };
  t.same(await poll(), { sets: {}, moreAvailable: true, searches: 10 });
  t.equal(receiver.position, all[9_999]?.id);
  t.same(await poll(), { sets: {}, moreAvailable: true, searches: 10 });
  t.same(
    await poll(),
    { sets: {}, moreAvailable: true, searches: 6 },
    'an event is found, and not asked for',
  );
  t.same(await poll(), { sets: {}, moreAvailable: true, searches: 1 }, 'what is before it is not read again');
  t.same(await poll(added.id), { sets: {}, moreAvailable: false, searches: 1 });
});
