import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { killIfLeft } from '../../../dev/leftovers.js';

/** How a command ended, and what it printed. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command `muster` as processes of their own, in one folder. */
export interface MusterCommand {
  readonly folder: string;
  /** Returns the path of a file in the folder. */
  at(name: string): string;
  start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> };
  run(...args: string[]): Promise<Ended>;
}

/** The file that the processes run. */
export const musterMain = resolve('dist/src/cli/main.js');

/** @param env the variables of the processes, besides the PATH */
export function openMuster(
  t: Pick<Test, 'teardown'>,
  env: Readonly<Record<string, string>> = {},
): MusterCommand {
  const folder = mkdtempSync(join(tmpdir(), 'muster-command-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [musterMain, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killIfLeft(child);
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      texts.out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      texts.err += chunk;
    });
    const ended = new Promise<Ended>((done) => {
      child.once('close', (code) => done({ code, ...texts }));
    });
    return { child, ended };
  };
  return {
    folder,
    at: (name) => join(folder, name),
    start,
    run: (...args) => start(...args).ended,
  };
}
