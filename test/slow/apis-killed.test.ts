import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { inDatabase } from '../support/migration/fault-import.js';
import { makeCertificate } from '../support/network/certificate.js';
import { hookSettings, startFormerService, takenOverOnce } from '../support/processes/former-service.js';
import { newUser } from '../support/scim/bulk.js';

t.test('the total of users is exact though API processes are killed', { timeout: 120_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const api = await stage.startApi();
  const path = `/scim/v2/${stage.orgId}/Users`;
  let struck = 0;
  for (let round = 0; round < 3; round++) {
    const doomed = await stage.startApi();
    const known: string[] = (await api.call(`GET ${path}?count=40`)).body.Resources.map(
      ({ id }: { id: string }) => id,
    );
    const sent = [
      ...Array.from({ length: 60 }, (_, n) =>
        doomed.call(`POST ${path}`, { json: newUser(`killed-${round}-${n}`) }),
      ),
      ...known.map((id) => doomed.call(`DELETE ${path}/${id}`)),
    ].map((answer) => answer.then(() => true).catch(() => false));
    await Promise.race(sent);
    await doomed.crash();
    struck += (await Promise.all(sent)).filter((isAnswered) => !isAnswered).length;
    const count = () =>
      inDatabase(stage, (db) => db.collection('users').countDocuments({ orgId: stage.orgId }));
    // A commit that the killed process sent may still be under way.
    const told = await until(async () => {
      const before = await count();
      const { totalResults } = (await api.call(`GET ${path}?count=0`)).body;
      return before === (await count()) ? { totalResults, before } : undefined;
    });
    t.equal(told.totalResults, told.before, `round ${round}`);
  }
  t.ok(struck > 0, `${struck} requests were not answered`);
});

t.test('a migration hook confirms people while API processes are killed', { timeout: 120_000 }, async (t) => {
  const certificate = await makeCertificate(t);
  const stage = certificate && (await openStage(t, { settings: hookSettings(certificate) }));
  if (certificate === undefined || stage === undefined) return;
  const [one, two] = await Promise.all([stage.startApi(), stage.startApi()]);
  const former = await startFormerService(t, { stage, api: one, certificate });

  await t.test('at several processes at once', async (t) => {
    for (let round = 0; round < 4; round++) {
      const name = `twice-${round}`;
      // Half of the people are here already, without a password.
      if (round % 2 === 0) {
        const added = await one.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser(name) });
        t.equal(added.status, 201);
      }
      const spellings = [name, name.toUpperCase()];
      const sent = spellings.flatMap((typed) => [one, two].map((api) => former.signIn(api, typed)));
      await Promise.all(spellings.map((typed) => former.asked(typed, 2)));
      for (const typed of spellings) former.answer(typed);
      t.same(await Promise.all(sent), [303, 303, 303, 303], 'each of them signs in');
      t.same(await former.stored(name), takenOverOnce);
    }
  });

  await t.test('kill -9 while the hook is asked', async (t) => {
    const doomed = await stage.startApi();
    const sent = former.signIn(doomed, 'asked').catch((error: Error) => error);
    await former.asked('asked');
    await doomed.crash();
    former.answer('asked');
    t.type(await sent, Error);
    t.same(await former.stored('asked'), { people: 0, whole: 0, added: 0 });
    const again = former.signIn(one, 'asked');
    await former.asked('asked');
    former.answer('asked');
    t.equal(await again, 303);
    t.same(await former.stored('asked'), takenOverOnce);
  });

  await t.test('kill -9 between the answer of the hook and the end of the sign-in', async (t) => {
    const outcomes: string[] = [];
    const pause = (milliseconds: number) => () => new Promise((done) => setTimeout(done, milliseconds));
    const moments: Record<string, (name: string) => Promise<unknown>> = {
      'at once': pause(0),
      'while the password is hashed': pause(20),
      'after the commit': (name) => until(async () => (await former.stored(name)).people === 1),
    };
    for (const [moment, come] of Object.entries(moments)) {
      const name = moment.replaceAll(' ', '-');
      const doomed = await stage.startApi();
      const sent = former.signIn(doomed, name).catch(() => 0);
      await former.asked(name);
      former.answer(name);
      await come(name);
      await doomed.crash();
      const status = await sent;
      // A commit that the killed process sent may still be under way.
      const before = await until(async () => {
        const first = await former.stored(name);
        const second = await former.stored(name);
        return JSON.stringify(first) === JSON.stringify(second) ? first : undefined;
      });
      const asked = former.countOf(name);
      t.ok(before.people <= 1, `${before.people} people`);
      t.same([before.whole, before.added], [before.people, before.people], 'nobody is half there');
      const again = former.signIn(two, name);
      if (before.people === 0) await former.asked(name);
      former.answer(name);
      t.equal(await again, 303, 'the second sign-in works');
      t.same(await former.stored(name), takenOverOnce);
      t.equal(former.countOf(name) - asked, 1 - before.people, 'only asked about somebody who is not here');
      outcomes.push(`${moment}: ${before.people} people, status ${status}`);
    }
    t.comment(outcomes.join('; '));
  });
});
