import { mkdir, readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';

function listen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: '127.0.0.1', port }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : null;
      server.close(() => resolve(bound));
    });
  });
}

/** The port on 127.0.0.1 for `name` in this data folder. It is the port of the last start if that is free. */
export async function portFor(dataDir: string, name: string): Promise<number> {
  const file = join(dataDir, 'ports.json');
  const kept: Record<string, number> = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const before = kept[name];
  const port = (before === undefined ? null : await listen(before)) ?? (await listen(0));
  if (port === null) {
    throw new Error('no port on 127.0.0.1 is free');
  }
  if (port !== before) {
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${JSON.stringify({ ...kept, [name]: port }, null, 2)}\n`);
  }
  return port;
}
