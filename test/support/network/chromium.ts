import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { onPath } from '../../../dev/services/exec.js';

/** Flags that limit Chromium's background activity and its use of the machine. */
const quietly = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium, which ends with the test.
 * @param flags more flags of its command line
 * @returns undefined if Chromium is not installed; the report then says so
 */
export async function launchChromium(
  t: Pick<Test, 'teardown'> & MaySkip,
  flags: readonly string[] = [],
): Promise<Browser | undefined> {
  const executablePath =
    (await findProgram('chromium-headless-shell')) ?? (await onPath('chromium')) ?? undefined;
  if (executablePath === undefined) {
    notRun(t, 'chromium is not installed');
    return undefined;
  }
  const browser = await chromium.launch({ executablePath, args: [...quietly, ...flags] });
  t.teardown(() => browser.close());
  return browser;
}

/** Writes an image of the page into the folder that MUSTER_SCREENSHOTS names. Does nothing without one. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['MUSTER_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
