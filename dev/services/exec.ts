import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Runs a program to its end and returns its output. A failure throws an Error with the last three lines of stderr. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { timeoutMs: number; env?: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      {
        timeout: options.timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, ...options.env },
      },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(stdout);
        } else {
          const words = stderr.trim().split('\n').slice(-3).join(' / ');
          reject(new Error(`${command} ${args[0] ?? ''} failed: ${words || error.message}`));
        }
      },
    );
  });
}

/** The full path of a program on the PATH. */
export async function onPath(program: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The program is not in this folder.
    }
  }
  return null;
}
