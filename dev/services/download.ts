import { homedir } from 'node:os';
import { join } from 'node:path';

const ORIGIN = 'https://fastdl.mongodb.org';

async function reachable(): Promise<boolean> {
  const origin = process.env['MONGOMS_DOWNLOAD_MIRROR'] || ORIGIN;
  try {
    const answer = await fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(3_000) });
    return answer.status < 500 && answer.status !== 407;
  } catch {
    return false;
  }
}

/**
 * The path of a mongod that mongodb-memory-server has downloaded into the cache folder, if the download is reachable.
 */
export async function downloadedMongod(log: (message: string) => void): Promise<string | null> {
  if (!(await reachable())) {
    return null;
  }
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  log('fetching mongod (once)');
  return MongoBinary.getPath({ downloadDir: join(cache, 'muster', 'mongod') });
}
