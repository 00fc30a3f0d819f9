import net from 'node:net';
import { MongoClient } from 'mongodb';

/** Whether a MongoDB answers at `url` and accepts writes. */
export async function pingMongodb(url: string, timeoutMs = 2_000): Promise<boolean> {
  const client = new MongoClient(url, {
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    maxPoolSize: 1,
  });
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    await client.db('admin').command({ ping: 1 });
    return hello['isWritablePrimary'] === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/** Whether a Redis answers at `url`. A Redis that asks for a password counts. */
export function pingRedis(url: string, timeoutMs = 2_000): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port || 6379), timeout: timeoutMs });
    const done = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (bytes) => done(/^(\+PONG|-NOAUTH)/.test(bytes.toString())));
    socket.once('timeout', () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}
