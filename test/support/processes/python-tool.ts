import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
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
  // The environment has a Python before it has the package. A run that ended in between must not look like one that did not.
  const mark = join(folder, 'installed');
  await mkdir(parent, { recursive: true });
  await withLock(join(parent, 'install.lock'), async () => {
    if (existsSync(mark)) return;
    await rm(folder, { recursive: true, force: true });
    await run(python, ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(join(folder, 'bin', 'python'), [...pip, `${name}==${version}`]);
    await writeFile(mark, '');
  });
  return join(folder, 'bin', program);
}
