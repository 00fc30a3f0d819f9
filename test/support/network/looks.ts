import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import { axeViolations } from './axe.js';
import { takeScreenshot } from './chromium.js';

/** A window in which people see a page. */
export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/**
 * The looks of a test that `make test` takes: the first. Some files begin with the small width and some with the large one, and all pages
 * have the same style sheet. `make test-slow` sets MUSTER_LOOKS=all and takes all. So does MUSTER_SCREENSHOTS.
 */
export function takenLooks<T>(all: readonly T[]): readonly T[] {
  const wantsAll = process.env['MUSTER_LOOKS'] === 'all' || process.env['MUSTER_SCREENSHOTS'];
  return wantsAll ? all : all.slice(0, 1);
}

/** Both widths and both colour schemes. */
export const looks: readonly Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];

export interface Window {
  readonly page: Page;
  /** Takes a screenshot of the page, and checks what holds for every page. */
  see(name: string): Promise<void>;
}

/** The texts of a page that are cut off, because they are wider than a box that hides what does not fit. */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main *')].filter((one) => {
    if (one.children.length > 0 || one.textContent.trim() === '') return false;
    let box = one.parentElement;
    while (box.tagName !== 'BODY' && !['hidden', 'clip'].includes(getComputedStyle(box).overflowX)) box = box.parentElement;
    return box.tagName !== 'BODY' && one.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
  }).map((one) => one.textContent.trim())`);
}

/** Opens a window, which closes with the test. @param look `locale`: the language that the browser asks for */
export async function openWindow(
  t: Test,
  browser: Browser,
  look: Look & { readonly javaScriptEnabled: boolean; readonly locale?: string },
): Promise<Window> {
  const { width, colorScheme, javaScriptEnabled, locale } = look;
  const viewport = { width, height: 800 };
  const language = locale === undefined ? {} : { locale };
  const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled, ...language });
  t.teardown(() => context.close());
  const page = await context.newPage();
  return {
    page,
    async see(name) {
      await takeScreenshot(
        page,
        `${name}-${width}-${colorScheme}${locale === undefined ? '' : `-${locale}`}`,
      );
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      t.ok(overflow <= 0, `${name} fits in the width`);
      t.same(await cutTexts(page), [], `${name} cuts no text`);
      t.equal(await page.locator('h1').count(), 1, `${name}: one title`);
      t.same(await axeViolations(page), [], `${name} is accessible`);
    },
  };
}

/** Fills in the form that leads to the path, and sends it. */
export async function submitForm(page: Page, path: string, values: Record<string, string>): Promise<void> {
  const form = page.locator(`form[action$="${path}"]`);
  for (const [name, value] of Object.entries(values)) await form.locator(`#${name}`).fill(value);
  await form.locator('button[type=submit]').first().click();
}
