import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { openConnection } from '../../support/network/raw-connection.js';
import { addLargeUsers } from '../../support/scim/large-users.js';
import { newUser, type ScimClient, urn } from '../../support/scim/scim-client.js';

/**
 * Large lists have permits, which a response keeps until the client has it. Two of these lists fill the permits of an organization. A
 * connection of this machine takes less than half of one.
 */

const settings = fuzzing(6);
t.comment(`FUZZ_SEED=${settings.seed}`);

const { tenant, container, app } = await openScim(t);
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const large = '/Users?count=100';
const [busy, other] = [await tenant(), await tenant()];
for (const scim of [busy, other]) await addLargeUsers(container, scim, { count: 100 });
const sockets: Socket[] = [];
t.teardown(() => {
  for (const socket of sockets) socket.destroy();
});

/** Sends a request over a connection of its own, and reads nothing of the response. */
async function ask(scim: ScimClient, path: string): Promise<Socket> {
  const socket = await openConnection(port);
  sockets.push(socket);
  socket.write(
    `GET ${scim.base}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scim.token}\r\nConnection: close\r\n\r\n`,
  );
  return socket;
}

/** The response has begun, so that everything for it is in memory. */
const hasBegun = (socket: Socket) => once(socket, 'readable');

/** Reads a response to its end. */
async function read(socket: Socket): Promise<{ status: number; bytes: number; head: string }> {
  let bytes = 0;
  let head = '';
  for await (const part of socket) {
    bytes += (part as Buffer).length;
    if (head.length < 1_000) head += String(part).slice(0, 1_000);
  }
  return { status: Number(head.split(' ')[1]), bytes, head };
}

const get = async (scim: ScimClient, path: string) => read(await ask(scim, path));

/** Two large lists at once. If an earlier one had kept its permit, there would not be room for both. */
async function hasRoom(t: Pick<typeof import('tap').t, 'strictSame'>, what: string): Promise<void> {
  const answers = await Promise.all([get(busy, large), get(busy, large)]);
  t.strictSame(
    answers.map(({ status, bytes }) => [status, bytes > 6_000_000]),
    [
      [200, true],
      [200, true],
    ],
    what,
  );
}

t.test('lists that nobody reads keep only the permits of their organization', async (t) => {
  const unread = [await ask(busy, large), await ask(busy, large)];
  await Promise.all(unread.map(hasBegun));
  let isAnswered = false;
  const third = get(busy, large).finally(() => {
    isAnswered = true;
  });
  t.match(await get(other, '/Users?count=40'), { status: 200 });
  t.notOk(isAnswered, 'another list of the organization waits');
  t.match(await get(busy, '/Users?count=2'), { status: 200 }, 'small ones do not');
  t.match(await get(busy, '/Groups'), { status: 200 });
  t.equal((await busy.post('/Users', newUser())).status, 201, 'and no other request');
  t.notOk(isAnswered);
  unread[0]?.destroy();
  t.match(await third, { status: 200 }, 'until one of the clients is gone');
  unread[1]?.destroy();
  await hasRoom(t, 'everything is free again');
});

t.test('lists that wait for too long are refused, and many at once', async (t) => {
  const unread = [await ask(busy, large), await ask(busy, large)];
  await Promise.all(unread.map(hasBegun));
  const waiting = await Promise.all(Array.from({ length: 70 }, () => ask(busy, large)));
  const statuses = waiting.map(read);
  const { status, head } = await Promise.race(statuses);
  t.equal(status, 429);
  t.match(head.toLowerCase(), 'retry-after: 5');
  t.match(head, '"scim.tooManyLists"');
  t.match(await get(other, large), { status: 200 }, 'another organization is served meanwhile');
  const all = await Promise.all(statuses);
  t.strictSame([...new Set(all.map((answer) => answer.status))], [429], 'the others after ten seconds');
  for (const socket of unread) socket.destroy();
  await hasRoom(t, 'a refused list keeps nothing');
});

t.test('a client that goes gives its permit back, at any time', async (t) => {
  const aborts = fc.asyncProperty(
    fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 5, maxLength: 10 }),
    fc.constantFrom(large, '/Users?cursor=', '/Users?attributes=userName', '/Users?sortBy=userName'),
    async (delays, path) => {
      await Promise.all(
        delays.map(async (ms) => {
          const socket = await ask(busy, path);
          await pause(ms);
          socket.destroy();
        }),
      );
    },
  );
  await fc.assert(aborts, settings);
  await hasRoom(t, 'after many aborts');
});

t.test('an error gives the permit back', async (t) => {
  const { users } = container;
  const { readPage } = users;
  t.teardown(() => Object.assign(users, { readPage }));
  const fails: typeof readPage = async (orgId, query, reader) => {
    let left = 2;
    const take: typeof reader.take = async (portion) => {
      if (left-- === 0) throw new Error('The store fails');
      return reader.take(portion);
    };
    return readPage(orgId, query, { ...reader, take });
  };
  Object.assign(users, { readPage: fails });
  for (let list = 0; list < 4; list++) t.equal((await get(busy, large)).status, 500);
  Object.assign(users, { readPage });
  await hasRoom(t, 'after faults of the service');
  const refused = await tenant();
  await addLargeUsers(container, refused, { count: 60, character: 'あ' });
  for (let list = 0; list < 6; list++) t.equal((await get(refused, '/Users')).status, 400);
  t.equal((await get(refused, '/Users?count=40')).status, 200, 'after refused pages');
});

t.test('an organization with many lists does not make another one wait for all of them', async (t) => {
  let done = 0;
  const many = Array.from({ length: 12 }, () =>
    get(busy, large).then((answer) => {
      done++;
      return answer;
    }),
  );
  t.match(await get(other, large), { status: 200 });
  t.ok(done < 6, `${done} of 12 lists came first`);
  for (const { status } of await Promise.all(many)) t.ok([200, 429].includes(status), String(status));
});

t.test('a group whose members nobody reads is read no further, and ends with its connection', async (t) => {
  const scim = await tenant();
  const displayName = 'あ'.repeat(500);
  const members = await addLargeUsers(container, scim, {
    ...{ count: 6_000, text: 0 },
    profile: () => ({ displayName }),
  });
  const { id } = (await scim.post('/Groups', { schemas: [urn.group], displayName: 'Giant' })).body;
  for (let from = 0; from < members.length; from += 10_000)
    await container.mongo.db.collection<{ _id: string }>('groupMembers').insertMany(
      members.slice(from, from + 10_000).map((userId) => ({
        ...{ _id: `${id} ${userId}`, orgId: scim.orgId, groupId: id, userId },
      })),
    );
  const { groupMembers } = container;
  const { page } = groupMembers;
  let reads = 0;
  t.teardown(() => Object.assign(groupMembers, { page }));
  Object.assign(groupMembers, {
    page: (...asked: Parameters<typeof page>) => {
      reads++;
      return page(...asked);
    },
  });
  const whole = await get(scim, `/Groups/${id}`);
  t.strictSame([whole.status, reads], [200, 7]);
  reads = 0;
  const unread = await ask(scim, `/Groups/${id}`);
  await hasBegun(unread);
  t.equal((await get(scim, `/Groups/${id}`)).status, 200);
  const before = reads - 7;
  t.ok(before > 0 && before < 7, `${before} of 7 parts were read for the client that reads nothing`);
  unread.destroy();
  await once(unread, 'close');
  t.equal((await get(scim, `/Groups/${id}`)).status, 200);
  t.ok(reads - before - 14 <= 1, 'nothing more is read for it');
});
