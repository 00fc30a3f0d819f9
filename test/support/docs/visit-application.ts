import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { MusterOfReader } from './muster-of-reader.js';

/** A page of a new browser. It ends with the test. A step that takes longer than 15 seconds fails. */
export async function openPage(t: Test, browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ignoreHTTPSErrors: true });
  t.teardown(() => context.close());
  context.setDefaultTimeout(15_000);
  return context.newPage();
}

interface SignIn {
  readonly baseUrl: string;
  readonly person: { readonly loginName: string; readonly password: string };
}

/** Signs the person in at Muster's page, which the browser has arrived at. */
export async function signIn(page: Page, { person, baseUrl }: SignIn): Promise<void> {
  await page.waitForURL(`${baseUrl}/**`);
  await page.fill('input[name=loginName]', person.loginName);
  await page.fill('input[name=password]', person.password);
  await page.click('button[type=submit]');
}

/** Whether Muster asks who signs in. It does not if its session goes on. */
export async function isAskedToSignIn(
  page: Page,
  { baseUrl }: Pick<MusterOfReader, 'baseUrl'>,
): Promise<boolean> {
  await page.waitForURL(`${baseUrl}/**`);
  return page.locator('input[name=password]').isVisible();
}
