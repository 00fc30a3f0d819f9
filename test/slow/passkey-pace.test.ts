import t from 'tap';
import { makeOrganization } from '../support/app/make.js';
import { goodPassword, makePerson } from '../support/app/people.js';
import { buildTestApp } from '../support/app/test-app.js';
import { formsOf, visit } from '../support/oidc/visitor.js';
import { optionsIn } from '../support/passkeys/authenticator.js';
import { enrolPasskey } from '../support/passkeys/enrol.js';

/**
 * A sign-in with a passkey computes no password hash, so one process makes at least ten times as many a second, with the login page before
 * each. Both run here, one after the other, in the same process.
 */

const { container, app } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  rateLimitPerAddress: 1_000_000,
  rateLimitPerPerson: 1_000_000,
});
const organization = await makeOrganization(container);
const { origin } = new URL(container.config.baseUrl);
const lanes = 8;
const seconds = 5;

/** Sign-ins a second, of as many people at once as there are lanes. */
async function paceOf(signIn: (lane: number) => Promise<unknown>): Promise<number> {
  let count = 0;
  const until = performance.now() + seconds * 1_000;
  const run = async (lane: number) => {
    while (performance.now() < until) {
      await signIn(lane);
      count++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  return count / seconds;
}

t.test('passkeys sign in ten times as many people a second as passwords', async (t) => {
  const people = await Promise.all(Array.from({ length: lanes }, () => makePerson(container, organization)));
  const keys = await Promise.all(people.map((user) => enrolPasskey(container, user)));
  const signedIn = ({ status }: { status: number }) => {
    if (status !== 303) throw new Error(`A sign-in ended with ${status}`);
  };
  const byPassword = async (lane: number) => {
    const visitor = visit(app, container);
    const page = await visitor.get('/login?to=account');
    const loginName = people[lane]?.userName ?? '';
    signedIn(await visitor.fill(page, { loginName, password: goodPassword }));
  };
  const byPasskey = async (lane: number) => {
    const visitor = visit(app, container);
    const page = await visitor.get('/login?to=account');
    const response = keys[lane]?.get(optionsIn(page.text, 'get'), origin, { counter: 0 }) ?? '';
    signedIn(await visitor.post('/login/passkey', { ...formsOf(page.text)[0]?.hidden, response }));
  };
  await byPassword(0);
  await byPasskey(0);
  const [passwords, passkeys] = [await paceOf(byPassword), await paceOf(byPasskey)];
  t.comment(`${passwords.toFixed(1)} sign-ins a second with passwords, ${passkeys.toFixed(1)} with passkeys`);
  t.ok(passkeys >= 10 * passwords, `${(passkeys / passwords).toFixed(1)} times as many`);
});
