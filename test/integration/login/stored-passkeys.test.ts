import { randomBytes } from 'node:crypto';
import t from 'tap';
import { addPasskey, checkPasskey } from '#src/authentication/passkeys/index.js';
import type { User } from '#src/directory/user.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Otherwise, SoftAuthenticator } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

/** What depends on the passkeys that are stored. `test/unit/authentication/odd-ceremonies.test.ts` has answers that are odd by themselves. */

const { container } = await buildTestApp(t);
const home = await makeOrganization(container);
const { origin, hostname: rpId } = new URL(container.config.baseUrl);
const party = { id: rpId, origin };
const member = () => makePerson(container, home);

let lastAddress = 0;

/** Whether a passkey alone signs in with this answer. Each attempt comes from another address. */
async function signsIn(key: SoftAuthenticator, other: Otherwise = {}): Promise<boolean> {
  const binding = { purpose: 'signIn', agent: 'browser', orgId: home.id } as const;
  const challenge = container.passkeyChallenges.make(binding);
  const { kind } = await checkPasskey(container, {
    ...{ party, binding, isAlone: true, address: `198.51.100.${++lastAddress}` },
    response: key.get({ challenge, rpId }, origin, other),
  });
  return kind === 'right';
}

/** Whether a person gets a passkey by this answer. */
async function enrols({ id, orgId }: User, key: SoftAuthenticator): Promise<boolean> {
  const binding = { purpose: 'enrol', agent: 'browser', orgId, userId: id } as const;
  const handle = randomBytes(32).toString('base64url');
  const challenge = container.passkeyChallenges.make(binding, handle);
  const options = { challenge, rp: { id: rpId }, user: { id: handle } };
  const made = await addPasskey(container, {
    ...{ orgId, id, editor: testEditor, binding, usualLabel: 'Passkey', party },
    response: key.create(options, origin),
  });
  return made !== undefined;
}

t.test('a counter only rises', async (t) => {
  const key = await enrolPasskey(container, await member(), { counter: 7 });
  for (const [counter, expected] of [
    [7, false],
    [6, false],
    [0, false],
    [8, true],
    [8, false],
    [0xffff_ffff, true],
    [0, false],
    [1, false],
  ] as const)
    t.equal(await signsIn(key, { counter }), expected, `${counter}`);
});

t.test('identifiers have at most 1,023 bytes', async (t) => {
  const user = await member();
  const long = new SoftAuthenticator('ES256', randomBytes(1_023));
  t.equal(await enrols(user, long), true);
  t.equal(await signsIn(long), true);
  t.equal(await enrols(user, new SoftAuthenticator('ES256', randomBytes(1_024))), false);
  t.equal(await enrols(user, new SoftAuthenticator('ES256', Buffer.alloc(0))), false);
});

t.test('two people who send one credential at the same time share nothing', async (t) => {
  const people = await Promise.all([member(), member(), member()]);
  const key = new SoftAuthenticator();
  const made = await Promise.allSettled(people.map((user) => enrols(user, key)));
  t.equal(made.filter((one) => one.status === 'fulfilled' && one.value).length, 1);
  for (const one of made)
    if (one.status === 'rejected') t.match(one.reason, { definition: { id: 'directory.passkeyTaken' } });
  const lists = await container.webauthnCredentials.findAnywhere(key.id);
  t.equal(lists.length, 1);
});
