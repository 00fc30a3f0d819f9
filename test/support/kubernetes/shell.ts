import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import type { Output } from './image.js';

/** A program that the test answers for. */
export type Program = (args: readonly string[], cwd: string) => Promise<Output>;

export interface Shell {
  /** @returns what the script printed. @throws Error when a command of it fails, with all that was printed */
  run(script: string): Promise<string>;
}

const mark = '=====done=====';

/**
 * One bash in which scripts run one after another, as at a reader's terminal: variables stay, and a command that fails
 * ends it.
 * @param programs stand on its PATH before those of the machine
 */
export async function openShell(
  t: Pick<Test, 'teardown'>,
  of: { folder: string; programs: Record<string, Program>; env: Record<string, string> },
): Promise<Shell> {
  const { folder, programs } = of;
  const bin = join(folder, '.programs');
  await mkdir(bin);
  const caller = resolve(import.meta.dirname, 'call.mjs');
  for (const name of Object.keys(programs)) {
    const script = `#!/bin/sh\nexec ${process.execPath} ${caller} ${name} "$@"\n`;
    await writeFile(join(bin, name), script, { mode: 0o755 });
  }
  const server = createServer(async (request, response) => {
    try {
      const { program, args, cwd } = JSON.parse(await text(request));
      const run = programs[program];
      if (run === undefined) throw new Error(`No ${program} here`);
      response.end(JSON.stringify(await run(args, cwd)));
    } catch (error) {
      response.end(JSON.stringify({ code: 2, stdout: '', stderr: `${String(error)}\n` }));
    }
  });
  const socket = join(folder, '.socket');
  server.listen(socket);
  await once(server, 'listening');
  const bash = spawn('bash', ['-euo', 'pipefail', '-s'], {
    cwd: folder,
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, GUIDE_SOCKET: socket, ...of.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.teardown(() => {
    bash.kill('SIGKILL');
    server.close();
    server.closeAllConnections();
  });
  let printed = '';
  let complaints = '';
  bash.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  bash.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const closed = once(bash, 'close');
  return {
    async run(script) {
      printed = '';
      complaints = '';
      bash.stdin.write(`${script}\necho; echo ${mark}\n`);
      while (!printed.includes(mark)) {
        await Promise.race([once(bash.stdout, 'data'), closed]);
        const ended = bash.exitCode ?? bash.signalCode;
        if (ended !== null && !printed.includes(mark))
          throw new Error(`${script}\nended with ${ended}: ${printed}${complaints}`);
      }
      return printed.slice(0, printed.indexOf(mark)).trim();
    },
  };
}
