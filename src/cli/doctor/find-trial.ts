import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isJsonObject } from '#src/platform/json/json-object.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that a server cannot do without. An environment with one of them is that of a server. */
const needed = ['MONGODB_URL', 'REDIS_URL', 'MUSTER_MASTER_KEYS'];

/** No file of a run is longer, in bytes. */
const maxBytes = 65_536;

/**
 * Returns the settings of the trial that `make run` runs in this folder. Undefined if the environment is that of a server, or if no trial
 * runs here. A file that another user could have written is not read.
 */
export async function findTrial(
  env: Environment,
): Promise<{ file: string; settings: Environment } | undefined> {
  if (needed.some((name) => env[name])) return undefined;
  const file = join(resolve(env['MUSTER_DATA_DIR'] || '.muster'), 'run.json');
  try {
    const { uid, mode, size } = await stat(file);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0 || size > maxBytes) return undefined;
    const run: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isJsonObject(run) || !isJsonObject(run['settings']) || !isRunning(run['pid'])) return undefined;
    const settings = Object.entries(run['settings']).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { file, settings: { ...Object.fromEntries(settings), ...env } };
  } catch {
    return undefined;
  }
}

/** Whether a process has the number. Signal 0 is sent to nobody. */
function isRunning(pid: unknown): boolean {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return false;
  return process.kill(pid, 0);
}
