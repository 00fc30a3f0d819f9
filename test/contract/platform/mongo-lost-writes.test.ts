import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import t from 'tap';
import { openMongo } from '#src/platform/mongo/mongo.js';
import { testEnvironment } from '../../support/app/test-container.js';

const sockets: Socket[] = [];
subscribe('net.client.socket', (message) => {
  sockets.push((message as { socket: Socket }).socket);
});

/** The outcome of a command. Without this limit, the driver would never answer. */
async function within(work: Promise<unknown>, ms: number): Promise<string> {
  const end = new Promise<string>((done) => setTimeout(done, ms, 'no answer').unref());
  const outcome = work.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );
  return Promise.race([outcome, end]);
}

t.test('commands on a connection that has just closed end', async (t) => {
  const name = `test_lost_${process.pid}`;
  const { MONGODB_URL: url = '' } = await testEnvironment(name);
  const mongo = await openMongo({ url, database: name, poolSize: 5 });
  t.teardown(async () => {
    await mongo.db.dropDatabase();
    await mongo.close();
  });
  const lose = () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  };

  await t.test('written before the end is told: it is tried again', async (t) => {
    await mongo.ping();
    const { length } = sockets;
    lose();
    t.ok(length > 0, 'there was a connection to lose');
    t.equal(await within(mongo.collection('things').findOne({}), 20_000), 'done');
  });

  await t.test('while its bytes wait to be taken', async (t) => {
    await mongo.ping();
    const things = Array.from({ length: 30 }, () => ({ bytes: Buffer.alloc(1_000_000, 7) }));
    // At the moment of the write: the server may have taken all of it one turn later.
    let isLost = false;
    for (const socket of sockets) {
      const write = socket.write.bind(socket) as (...bytes: unknown[]) => boolean;
      socket.write = (...bytes: unknown[]) => {
        const isTaken = write(...bytes);
        if (!isTaken && !isLost) {
          isLost = true;
          lose();
        }
        return isTaken;
      };
    }
    const written = within(mongo.collection('things').insertMany(things), 20_000);
    t.not(await written, 'no answer');
    t.ok(isLost, 'the connection was lost');
    t.equal(await within(mongo.ping(), 20_000), 'done', 'the next one finds the server again');
  });
});
