import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { Organization } from '#src/directory/organization.js';
import type { Rooms } from '#src/rooms.js';
import { axeViolations } from '../network/axe.js';
import { takeScreenshot } from '../network/chromium.js';
import { cutTexts } from '../network/looks.js';
import { testEditor } from './make.js';
import { goodPassword, makePerson } from './people.js';

export interface Walk {
  readonly baseUrl: string;
  /** The path of the first page. */
  readonly from: string;
  readonly userName: string;
  readonly width: 390 | 1280;
}

/** An owner of the instance, whose language the console takes. */
export async function makeOwner(
  container: Rooms,
  organization: Organization,
  preferredLanguage: string,
): Promise<string> {
  const person = await makePerson(container, organization, { preferredLanguage });
  await addMembership(container, { userId: person.id, role: 'IAM_OWNER', editor: testEditor });
  return person.userName;
}

/** Opens a page of the console, and signs the person in. The page is closed with the test. */
export async function signInTo(
  t: Pick<Test, 'teardown'>,
  browser: Browser,
  { baseUrl, from, userName, width }: Walk,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${baseUrl}${from}`);
  await page.locator('#loginName').fill(userName);
  await page.locator('#password').fill(goodPassword);
  await page.locator('form[action$="/login"] button[type=submit]').click();
  await page.waitForURL(`${baseUrl}${from}`);
  return page;
}

/**
 * Opens pages of the console in Chromium, as a person who signs in. Each page must keep nobody out, fit into the window, be small and
 * not be forbidden anything by its policy. Pages are light and dark in turn; a walk of the other width has it the other way round.
 */
export async function walkConsole(
  t: Test,
  browser: Browser,
  {
    pages,
    ...walk
  }: Omit<Walk, 'from'> & {
    /** The paths of the pages by their names in screenshots. */
    readonly pages: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const { baseUrl, width } = walk;
  const page = await signInTo(t, browser, { ...walk, from: '/console' });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  for (const [index, [name, path]] of Object.entries(pages).entries()) {
    const colorScheme = (index % 2 === 0) === (width === 390) ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme });
    const answer = await page.goto(`${baseUrl}${path}`);
    t.equal(answer?.status(), 200, `${name} is there`);
    t.ok(((await answer?.body())?.length ?? 0) < 80_000, `${name} is small`);
    t.same(await axeViolations(page), [], `${name} keeps nobody out`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(overflow <= 0, `${name} is not wider than the window`);
    t.same(await cutTexts(page), [], `${name} cuts no text`);
    await takeScreenshot(page, `${name}-${width}-${colorScheme}`);
  }
  t.same(complaints, [], 'the policy forbids nothing that the pages do');
}
