import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

/** A file or commands that a page shows, in the order of the page. */
export type ShownStep = { readonly file: string; readonly text: string } | { readonly run: string };

/** The program that a page of the console shows, exactly as a developer copies it. */
export function readShownProgram(page: Page): Promise<readonly ShownStep[]> {
  return page.evaluate<
    ShownStep[]
  >(`[...document.querySelectorAll('pre[data-file], pre[data-run]')].map((one) =>
    one.dataset.file === undefined
      ? { run: one.textContent }
      : { file: one.dataset.file, text: one.textContent })`);
}

/** The text of a shown file. */
export function shownFile(steps: readonly ShownStep[], name: string): string {
  for (const step of steps) if ('file' in step && step.file === name) return step.text;
  throw new Error(`The page shows no ${name}`);
}

/** The last shown command, which starts the program. */
export function startingCommand(steps: readonly ShownStep[]): string {
  const lines = steps.flatMap((step) => ('run' in step ? step.run.trim().split('\n') : []));
  return lines.at(-1) ?? 'false';
}

/**
 * Saves the files, and adds to those that are there.
 * @param runs whether the commands before the last run too. They get packages from registries
 * @throws Error if a command fails, with what it printed
 */
export async function followShown(
  folder: string,
  steps: readonly ShownStep[],
  { runs = false }: { runs?: boolean } = {},
): Promise<void> {
  const last = steps.findLast((step) => 'run' in step);
  for (const step of steps) {
    if ('run' in step) {
      const lines = step.run.trim().split('\n');
      const script = (step === last ? lines.slice(0, -1) : lines).join('\n');
      if (runs && script !== '')
        await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, timeout: 600_000 });
      continue;
    }
    const path = join(folder, step.file);
    await mkdir(dirname(path), { recursive: true });
    const isThere = runs && step.file.endsWith('settings.py');
    await (isThere ? appendFile(path, `\n${step.text}`) : writeFile(path, step.text));
  }
}
