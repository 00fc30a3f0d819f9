import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { findProgram } from '../programs.js';
import { runCommand } from '../services/exec.js';

/**
 * The clock of processes that are started with its settings. It shows the right time until it is set. Other processes
 * keep their clock.
 */
interface FakeClock {
  readonly settings: Record<string, string>;
  /** Sets the clock at once to this many seconds ahead of the right time, or behind it if the number is negative. */
  set(seconds: number): Promise<void>;
}

/** Makes clocks, or says why it cannot. */
export type FakeClocks = { make(name: string): Promise<FakeClock> } | { missing: string };

/**
 * Uses the library of Debian's faketime, which answers a process that asks for the time. It does not change intervals.
 */
export async function fakeClocks(t: Pick<Test, 'teardown' | 'comment'>): Promise<FakeClocks> {
  const program = await findProgram('faketime');
  if (program === undefined) return { missing: 'faketime is not installed' };
  const library = (
    await runCommand(program, ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], { timeoutMs: 60_000 })
  ).trim();
  const folder = await mkdtemp(join(tmpdir(), 'muster-clock-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return {
    async make(name) {
      const file = join(folder, name);
      const set = async (seconds: number) => {
        await writeFile(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
        await rename(`${file}.new`, file);
      };
      await set(0);
      const settings = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      };
      return { settings, set };
    },
  };
}
