import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { changeUser } from '#src/people/users/change-user.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { formsOf, visit } from '../../support/oidc/visitor.js';
import { type Otherwise, optionsIn, SoftAuthenticator } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const wait = 250;
const { container, app } = await buildTestApp(t, { loginFailureMilliseconds: wait });
const home = await makeOrganization(container);
const { origin } = new URL(container.config.baseUrl);

let lastAddress = 0;

/** What a browser sees after the answer of an authenticator, and how long it takes, in milliseconds. */
async function tryWith(key: SoftAuthenticator, other: Parameters<SoftAuthenticator['get']>[2] = {}) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  const page = await visitor.get('/login');
  const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
  const response = key.get(optionsIn(page.text, 'get'), origin, other);
  const began = performance.now();
  const { status, text } = await visitor.post('/login/passkey', { ...hidden, response });
  const took = performance.now() - began;
  // Tokens and challenges differ on every page.
  return { status, text: text.replace(/value="[^"]*"/g, ''), took };
}

t.test('every failure gets the same page after the same wait, whoever exists', async (t) => {
  const [active, inactive] = [await makePerson(container, home), await makePerson(container, home)];
  const known = await enrolPasskey(container, active);
  const ended = await enrolPasskey(container, inactive);
  await changeUser(container, {
    ...{ organization: home, id: inactive.id, editor: testEditor },
    change: (current) => ({ profile: { ...current, active: false } }),
  });
  const unknown = new SoftAuthenticator();
  unknown.userHandle = randomBytes(32).toString('base64url');
  const failures = {
    'a passkey that nobody has': await tryWith(unknown),
    'a wrong signature of one that somebody has': await tryWith(known, { signature: randomBytes(70) }),
    'a touch alone': await tryWith(known, { flags: 0x01 }),
    'an inactive person': await tryWith(ended),
    'another user handle': await tryWith(known, { userHandle: unknown.userHandle }),
    'no answer of an authenticator': await tryWith(known, { id: '' }),
  };
  const [first] = Object.values(failures);
  for (const [name, { status, text, took }] of Object.entries(failures)) {
    t.equal(status, 400, name);
    t.equal(text, first?.text, name);
    // Timers may be a millisecond early.
    t.ok(took >= wait - 2, `${name}: ${took}`);
  }
  t.equal((await tryWith(known)).status, 303);
});

t.test('the wait of an address for wrong passkeys ends', async (t) => {
  const lockSeconds = 2;
  const short = await buildTestApp(t, {
    ...{ loginFailureMilliseconds: 0, loginLockSeconds: lockSeconds, loginMaxFailuresPerAddress: 3 },
  });
  const person = await makePerson(short.container, await makeOrganization(short.container));
  const key = await enrolPasskey(short.container, person);
  const attempt = async (other: Otherwise = {}) => {
    const visitor = visit(short.app, short.container, { address: '203.0.113.9' });
    const page = await visitor.get('/login');
    const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/login'))?.hidden;
    const response = key.get(optionsIn(page.text, 'get'), origin, other);
    return visitor.post('/login/passkey', { ...hidden, response });
  };
  const bad = { signature: randomBytes(70) };
  for (let count = 0; count < 3; count++) t.equal((await attempt(bad)).status, 400);
  const refused = await attempt();
  t.equal(refused.status, 429);
  const wait = Number(refused.headers['retry-after']);
  t.ok(wait >= 1 && wait <= lockSeconds, `it says how long: ${wait} s`);
  // Redis counts this time, and no clock of a test moves it.
  await setTimeout(wait * 1_000 + 50);
  t.equal((await attempt()).status, 303);
  for (let count = 0; count < 3; count++) t.equal((await attempt(bad)).status, 400, 'all attempts are back');
});
