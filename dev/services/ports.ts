import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isFree } from '../free-port.js';

/** The port on 127.0.0.1 for `name` in this data folder. It is the port of the last start if that is free. */
export async function portFor(dataDir: string, name: string): Promise<number> {
  const file = join(dataDir, 'ports.json');
  const kept: Record<string, number> = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const before = kept[name];
  const port = before !== undefined && (await isFree(before)) ? before : await freePort();
  if (port !== before) {
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${JSON.stringify({ ...kept, [name]: port }, null, 2)}\n`);
  }
  return port;
}
