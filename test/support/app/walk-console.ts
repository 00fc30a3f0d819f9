import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { axeViolations } from '../network/axe.js';
import { takeScreenshot } from '../network/chromium.js';
import { goodPassword } from './people.js';

export interface Walk {
  readonly baseUrl: string;
  readonly userName: string;
  readonly locale: string;
  readonly width: 390 | 1280;
  /** The paths of the pages by their names in screenshots. */
  readonly pages: Readonly<Record<string, string>>;
}

/**
 * Opens pages of the console in Chromium, as a person who signs in. Each page must keep nobody out, fit into the window, be small and
 * not be forbidden anything by its policy. Pages are light and dark in turn; a walk of the other width has it the other way round.
 */
export async function walkConsole(t: Test, browser: Browser, walk: Walk): Promise<void> {
  const { baseUrl, userName, locale, width, pages } = walk;
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${baseUrl}/console`);
  await page.locator('#loginName').fill(userName);
  await page.locator('#password').fill(goodPassword);
  await page.locator('form[action$="/login"] button[type=submit]').click();
  await page.waitForURL(`${baseUrl}/console`);
  for (const [index, [name, path]] of Object.entries(pages).entries()) {
    const colorScheme = (index % 2 === 0) === (width === 390) ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme });
    const answer = await page.goto(`${baseUrl}${path}`);
    t.equal(answer?.status(), 200, `${name} is there`);
    t.ok(((await answer?.body())?.length ?? 0) < 100_000, `${name} is small`);
    t.same(await axeViolations(page), [], `${name} keeps nobody out`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(overflow <= 0, `${name} is not wider than the window`);
    await takeScreenshot(page, `${name}-${width}-${colorScheme}`);
  }
  t.same(complaints, [], 'the policy forbids nothing that the pages do');
}
