import argon2 from 'argon2';
import bcrypt from 'bcryptjs';
import t from 'tap';
import { until } from '../../../dev/until.js';
import { makeTenant } from '../../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';
import { newUser } from '../../support/scim/scim-client.js';

/** Hashes of this password take until the test lets them end. */
const heldPassword = 'Held-Horse-9';
const held: (() => void)[] = [];
let isHolding = false;
const compute = argon2.hash;
argon2.hash = (async (password: string, options: never) => {
  if (isHolding && password === heldPassword) await new Promise<void>((resolve) => held.push(resolve));
  return compute(password, options);
}) as typeof argon2.hash;

const { container, app, call } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  hashConcurrency: 2,
  hashQueue: 200,
});
const { load } = container.passwords;

let lastAddress = 0;

async function signIn(loginName: string, password = goodPassword) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress % 250}` });
  return visitor.fill(await visitor.get('/login'), { loginName, password });
}

function create({ orgId, manager }: Awaited<ReturnType<typeof makeTenant>>, password = heldPassword) {
  return call(`POST /scim/v2/${orgId}/Users`, { as: manager, body: newUser({ password }) });
}

const untilWaiting = (count: number) => until(() => load().waiting >= count);

/** Lets one held hash end after the other, as often as given. */
async function endHeld(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await until(() => held.length > 0);
    held.shift()?.();
  }
}

t.beforeEach(() => {
  isHolding = true;
});

function endAllHeld(): void {
  isHolding = false;
  for (const end of held.splice(0)) end();
}

t.test('sign-ins and creations of others complete while hundreds of creations wait', async (t) => {
  const [attacker, neighbour] = await Promise.all([makeTenant(container), makeTenant(container)]);
  const person = await makePerson(container, await makeHome(container));
  let refused = 0;
  const creations = Array.from({ length: 260 }, async () => {
    const answer = await create(attacker);
    if (answer.status === 503) refused++;
    return answer;
  });
  await until(() => load().waiting === 200 && refused === 59);
  t.equal((await signIn(person.userName)).status, 303, 'no creation has ended yet');
  const other = create(neighbour, 'Correct-Horse-9');
  await until(() => refused === 60);
  t.equal(load().waiting, 200, 'the newest creation of the attacker has given way');
  await endHeld(2);
  t.equal((await other).status, 201);
  t.ok(load().waiting > 190, `${load().waiting} creations still wait`);
  endAllHeld();
  for (const { status, headers } of await Promise.all(creations)) {
    t.match(headers, status === 201 ? {} : { 'retry-after': /^[1-9]\d*$/ });
  }
  t.equal(refused, 60);
});

t.test(
  'guesses at one organization, and at names of nobody, do not hold up sign-ins of another',
  async (t) => {
    const home = await makeHome(container);
    const person = await makePerson(container, await makeHome(container));
    const targets = await Promise.all(
      Array.from({ length: 30 }, () => makePerson(container, home, { password: null })),
    );
    const unknown = Array.from({ length: 50 }, (_, index) => signIn(`nobody-${index}`, heldPassword));
    await untilWaiting(2);
    const guesses = targets.flatMap(({ userName }) =>
      Array.from({ length: 5 }, () => signIn(userName, heldPassword)),
    );
    await untilWaiting(152);
    const other = signIn(person.userName);
    await untilWaiting(153);
    await endHeld(3);
    t.equal((await other).status, 303);
    t.ok(load().waiting > 130, `${load().waiting} guesses still wait`);
    endAllHeld();
    for (const { status } of await Promise.all([...guesses, ...unknown])) t.equal(status, 400);
  },
);

t.test('slow hashes that an organization imported do not hold up sign-ins of another', async (t) => {
  const home = await makeHome(container);
  const person = await makePerson(container, await makeHome(container));
  const slow = await makePerson(container, home, { password: null });
  const hash = bcrypt.hashSync('x', 4).replace('$04$', '$13$');
  await container.mongo
    .collection('users')
    .updateOne({ _id: slow.id as never }, { $set: { password: { hash, changed: new Date() } } });
  const guesses = Array.from({ length: 4 }, () => signIn(slow.userName, 'Wrong-Horse-1'));
  await untilWaiting(3);
  t.equal((await signIn(person.userName)).status, 303);
  t.ok(load().running + load().waiting > 0, 'slow comparisons are left');
  for (const { status } of await Promise.all(guesses)) t.equal(status, 400);
});
