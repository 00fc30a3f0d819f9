import { createHmac } from 'node:crypto';
import t from 'tap';
import { hasLoginName } from '#src/authentication/migration-hook/hook-answer.js';
import { createMigrationHooks } from '#src/authentication/migration-hook/migration-hooks.js';
import { defaultLoginSettings, defaultPasswordPolicy } from '#src/directory/organization.js';
import { createSealer } from '#src/keys/sealer.js';
import type { FetchJson, OutgoingMessage } from '#src/platform/outgoing/fetch-json.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import { createTestClock } from '../../support/app/test-clock.js';

const clock = createTestClock();
const sealer = createSealer([{ id: 'k', key: Buffer.alloc(32, 1) }], 'migration-hook');
const logged: unknown[] = [];
const recorded: { readonly payload: unknown }[] = [];
const log = (...given: unknown[]) => void logged.push(given);
const logger = { warn: log, error: log, info: log } as unknown as Parameters<
  typeof createMigrationHooks
>[0]['logger'];
const events = {
  record: async (event: { payload: unknown }) => void recorded.push(event),
} as unknown as Parameters<typeof createMigrationHooks>[0]['events'];

let number = 0;
const organization = () => ({
  id: `org-${++number}`,
  name: 'Acme',
  domains: ['acme.example'],
  unverifiedDomains: [],
  passwordPolicy: defaultPasswordPolicy,
  login: defaultLoginSettings,
  version: 1,
  created: clock.now(),
  lastModified: clock.now(),
  migrationHook: {
    url: 'https://hook.example/',
    timeoutMs: 1_000,
    sealedSecret: sealer.seal(Buffer.from('the-secret')).toString('base64url'),
    created: clock.now(),
  },
});
const question = { orgId: 'o', loginName: 'anna', password: 'Clear-Horse-7' };
const hooksWith = (fetchJson: FetchJson) =>
  createMigrationHooks({ fetchJson, hookSealer: sealer, events, clock, logger });
const answering = (answer: unknown) => hooksWith(async () => answer);
const confirmed = (user: unknown) => ({ confirmed: true, user });

t.test('the request is signed, and the bounds are those of the hook', async (t) => {
  let sent: OutgoingMessage | undefined;
  const hooks = hooksWith(async (address, bounds, message) => {
    t.equal(address, 'https://hook.example/');
    t.same(bounds, { maxBytes: 65_536, timeoutMs: 1_000 });
    sent = message;
    return { confirmed: false };
  });
  t.same(await hooks.ask(organization(), question), { kind: 'refused' });
  const { headers = {}, body = '' } = sent ?? {};
  const time = headers['muster-timestamp'];
  const expected = createHmac('sha256', 'the-secret').update(`${time}.${body}`).digest('hex');
  t.equal(headers['muster-signature'], `v1=${expected}`);
  t.match(JSON.parse(body), { id: /.{36}/, loginName: 'anna', password: 'Clear-Horse-7' });
});

t.test('an answer that lies or is none confirms nothing, and its values are not repeated', async (t) => {
  const lies: [unknown, RegExp][] = [
    [[], /not a JSON object/],
    [null, /not a JSON object/],
    [{ confirmed: 'evil' }, /neither true nor false/],
    [{}, /neither true nor false/],
    [{ confirmed: true }, /user is not/],
    [confirmed({}), /userName is missing/],
    [confirmed({ userName: 7 }), /userName is not a string/],
    [confirmed({ userName: 'evil' }), /is the login name/],
    [confirmed({ userName: 'anna', id: 'evil' }), /user may only have/],
    [confirmed({ userName: 'anna', roles: ['evil'] }), /user may only have/],
    [confirmed({ userName: 'anna', emailVerified: 'evil' }), /emailVerified is not a boolean/],
    [{ ...confirmed({ userName: 'anna' }), admin: 'evil' }, /The answer may only have/],
  ];
  for (const [answer, reason] of lies) {
    const outcome = await answering(answer).ask(organization(), question);
    t.match(outcome, { kind: 'failed', reason }, JSON.stringify(answer));
    t.notMatch(JSON.stringify(outcome), /evil|Clear-Horse/);
  }
  const other = await answering(confirmed({ userName: 'Anna' })).ask(organization(), {
    ...question,
    userName: 'anna',
  });
  t.match(other, { kind: 'failed', reason: /of the question/ }, 'a user who exists is not another one');
});

t.test('a profile that sign-in would find is confirmed', async (t) => {
  t.match(
    await answering(confirmed({ userName: 'ANNA', familyName: 'Lind' })).ask(organization(), question),
    {
      kind: 'confirmed',
      profile: { userName: 'ANNA', name: { familyName: 'Lind' } },
    },
  );
  const home = { id: 'o-1', domains: ['acme.example', 'second.example'] };
  const emails = (verified?: boolean) => [
    { value: 'A@old.example', primary: true, ...(verified === false && { verified }) },
  ];
  t.ok(hasLoginName({ userName: 'anna', emails: emails() }, home, 'a@OLD.example'));
  t.notOk(hasLoginName({ userName: 'anna', emails: emails(false) }, home, 'a@old.example'));
  t.ok(hasLoginName({ userName: 'anna' }, home, 'anna@acme.example'));
  t.ok(hasLoginName({ userName: 'anna' }, home, 'anna@o-1'));
  t.notOk(hasLoginName({ userName: 'anna' }, home, 'anna@second.example'));
  t.notOk(hasLoginName({ userName: 'anna' }, home, ''));
});

t.test('after five failures there is a pause, and one trial ends it', async (t) => {
  let calls = 0;
  let isDown = true;
  const hooks = hooksWith(async () => {
    calls++;
    if (isDown) throw new OutgoingError('unreachable', 'The host cannot be reached');
    return { confirmed: false };
  });
  const home = organization();
  for (let i = 0; i < 5; i++) t.match(await hooks.ask(home, question), { reason: /cannot be reached/ });
  t.match(await hooks.ask(home, question), { reason: /pause/ });
  t.equal(calls, 5);
  await hooks.ask(home, question, { isTest: true });
  t.equal(calls, 6, 'a test asks nevertheless');
  clock.advance(31);
  t.match(await hooks.ask(home, question), { reason: /cannot be reached/ }, 'the trial');
  t.match(await hooks.ask(home, question), { reason: /pause/ });
  isDown = false;
  clock.advance(31);
  t.same(await hooks.ask(home, question), { kind: 'refused' });
  t.same(await hooks.ask(home, question), { kind: 'refused' });
  t.same(await hooks.ask(organization(), question), { kind: 'refused' }, 'others are not held up');
});

t.test('an organization asks at most 16 questions at once', async (t) => {
  let answer: (value: unknown) => void = () => undefined;
  const pending = new Promise<unknown>((resolve) => {
    answer = resolve;
  });
  const hooks = hooksWith(() => pending);
  const home = organization();
  const asked = Array.from({ length: 17 }, () => hooks.ask(home, question));
  t.match(await asked[16], { kind: 'failed', reason: /Too many/ });
  answer({ confirmed: false });
  t.same(
    (await Promise.all(asked.slice(0, 16))).map(({ kind }) => kind),
    Array(16).fill('refused'),
  );
});

t.test('failures are told once a minute, without what was typed', async (t) => {
  const hooks = answering({});
  const home = organization();
  recorded.length = 0;
  for (let i = 0; i < 3; i++) await hooks.report(home, 'The host cannot be reached');
  t.same(
    recorded.map(({ payload }) => payload),
    [{ reason: 'The host cannot be reached' }],
  );
  clock.advance(61);
  await hooks.report(home, 'again');
  t.equal(recorded.length, 2);
  t.notMatch(JSON.stringify([logged, recorded]), /Clear-Horse|the-secret/);
});
