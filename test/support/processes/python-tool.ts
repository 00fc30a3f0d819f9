import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../../dev/services/lock.js';

const run = promisify(execFile);

/** A program of a package of PyPI. */
interface PythonTool {
  readonly name: string;
  readonly version: string;
  readonly program: string;
}

/**
 * Installs a package of PyPI into a virtual environment of its own, which later runs use again.
 * @param python the path of `python3`
 * @returns the path of the program
 * @throws Error if Python has no `venv`, or if PyPI cannot be reached
 */
export async function installPythonTool(python: string, tool: PythonTool): Promise<string> {
  const { name, version, program } = tool;
  const parent = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), 'python');
  const folder = join(parent, `${name}-${version}`);
  const path = join(folder, 'bin', program);
  await mkdir(parent, { recursive: true });
  await withLock(join(parent, 'install.lock'), async () => {
    if (existsSync(path)) return;
    await rm(folder, { recursive: true, force: true });
    await run(python, ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(join(folder, 'bin', 'python'), [...pip, `${name}==${version}`]).catch(
      async (error: unknown) => {
        // The next run would find a Python without the package.
        await rm(folder, { recursive: true, force: true });
        throw error;
      },
    );
  });
  return path;
}
