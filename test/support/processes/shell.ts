import { spawn } from 'node:child_process';
import { type Readable, Writable } from 'node:stream';
import type { Test } from 'tap';
import { killIfLeft } from '../../../dev/leftovers.js';

/** A shell that keeps its variables and functions from one script to the next. */
export interface Shell {
  /** Runs a script. @returns its output @throws Error if a command fails, which ends the shell */
  run(script: string): Promise<string>;
}

const mark = '=====next=====';

/** Reads scripts from descriptor 3, so that no command of a script can read the next one from its input. */
const loop = `while IFS= read -r -d '' -u 3 script; do eval "$script"; echo; echo ${mark}; done`;

/**
 * Opens a shell in which a command that fails, and a variable that is not set, end the script. It ends with the test.
 * @param env variables besides those of this process
 */
export function openShell(
  t: Pick<Test, 'teardown'>,
  { env, cwd = process.cwd() }: { env: Record<string, string>; cwd?: string },
): Shell {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', loop], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  killIfLeft(child);
  const [, output, , scripts] = child.stdio;
  if (!(scripts instanceof Writable)) throw new Error('The shell has no input');
  // A shell that has ended reads no more scripts. The end of its output tells.
  scripts.on('error', () => undefined);
  const ended = new Promise((done) => child.once('close', done));
  t.teardown(async () => {
    scripts.end();
    child.kill();
    await ended;
  });
  const parts = partsOf(output as Readable);
  return {
    async run(script) {
      scripts.write(`${script}\0`);
      const { value, done } = await parts.next();
      if (done) throw new Error(`A command of this script failed, after it wrote ${value}: ${script}`);
      return value;
    },
  };
}

/** The output between marks, without blanks around it. The last part is what comes after the last mark. */
async function* partsOf(output: Readable): AsyncGenerator<string, string> {
  let text = '';
  for await (const chunk of output.setEncoding('utf8')) {
    text += chunk;
    for (let end = text.indexOf(mark); end >= 0; end = text.indexOf(mark)) {
      yield text.slice(0, end).trim();
      text = text.slice(end + mark.length);
    }
  }
  return text.trim();
}
