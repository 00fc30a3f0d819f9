import t from 'tap';
import { newEvent } from '#src/audit/new-event.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';
import { namesOfCommands } from '../../support/stores/mongo-commands.js';

/** What many sign-ins at once ask of MongoDB: simultaneous calls share a command, and nobody gets what another one asked for. */

const { container } = await openTestContainer(t);
const [home, other] = [await makeHome(container), await makeHome(container)];

t.test('accounts of an organization are found together', async (t) => {
  const [anna, bo] = [await makePerson(container, home), await makePerson(container, home)];
  const stranger = await makePerson(container, other);
  const { find } = container.accounts;
  let found: (string | undefined)[] = [];
  const commands = await namesOfCommands(async () => {
    const asked = [
      find(home.id, anna.id),
      find(home.id, stranger.id),
      find(other.id, anna.id),
      find(other.id, stranger.id),
      find(home.id, 'nobody'),
      find(home.id, anna.id),
      find(home.id, bo.id),
    ];
    found = (await Promise.all(asked)).map((account) => account?.user.id);
  });
  t.same(found, [anna.id, undefined, undefined, stranger.id, undefined, anna.id, bo.id]);
  t.same(commands, ['find users', 'find users'], 'one for each organization');
});

t.test('passkeys are found together', async (t) => {
  const people = [await makePerson(container, home), await makePerson(container, other)];
  const keys = [];
  for (const person of people) keys.push(await enrolPasskey(container, person));
  const ids = [...keys.map(({ id }) => id), 'none'];
  let found: string[][] = [];
  let accounts: (string | undefined)[][] = [];
  const commands = await namesOfCommands(async () => {
    const holders = await Promise.all(ids.map((id) => container.webauthnCredentials.findAnywhere(id)));
    accounts = holders.map((some) => some.map(({ account }) => account?.user.id));
    found = holders.map((some) => some.map(({ list }) => list.userId));
  });
  t.same(found, [...people.map(({ id }) => [id]), []]);
  t.same(accounts, found, 'with their accounts');
  t.equal(commands.length, 2, 'the second look-up is for a copy of the one that nobody made here');
  const [anna] = people;
  const lists = container.mongo.db.collection<{ _id: string; orgId: string }>('webauthnCredentials');
  await lists.updateOne({ _id: anna?.id ?? '' }, { $set: { orgId: other.id } });
  const [holder] = await container.webauthnCredentials.findAnywhere(ids[0] ?? '');
  t.same(holder?.account, undefined, 'a list of another organization than its person has no account');
  const others = ['search', 'locked', 'schemaVersion'];
  const [whole] = await container.webauthnCredentials.findAnywhere(ids[1] ?? '');
  t.same(
    Object.keys(whole?.account?.user ?? {}).filter((field) => others.includes(field)),
    [],
    'nothing is read that is no part of an account',
  );
  t.same(await container.accounts.find(other.id, people[1]?.id ?? ''), whole?.account);
});

t.test('events are written together, and one that fails stops no other', async (t) => {
  const person = await makePerson(container, home);
  const event = () =>
    newEvent('user.unlocked', {
      ...{ aggregate: 'user', id: person.id, orgId: home.id, sequence: 1 },
      ...{ editor: { userId: person.id, service: 'login' }, date: new Date() },
    });
  const [first, ...others] = [event(), event(), event()];
  if (first === undefined) throw new Error('There is no event');
  await container.events.record(first);
  let outcomes: string[] = [];
  const commands = await namesOfCommands(async () => {
    const written = [others[0], first, others[1]].map((one) => container.events.record(one ?? event()));
    outcomes = (await Promise.allSettled(written)).map(({ status }) => status);
  });
  t.same(outcomes, ['fulfilled', 'rejected', 'fulfilled']);
  t.same(commands, ['insert events']);
  const stored = await container.events.search({ aggregateId: person.id, limit: 10, ascending: true });
  t.equal(stored.filter(({ type }) => type === 'user.unlocked').length, 3);
});
