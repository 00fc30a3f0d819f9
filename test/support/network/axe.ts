import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** One copy for each browser. axe needs JavaScript, and most tests of pages turn it off. */
const copies = new WeakMap<Browser, Promise<Page>>();

/**
 * The violations of accessibility rules (WCAG 2.2 A and AA, and good practice) that axe finds in a page, in its colour scheme, each as a
 * line. It reads a copy of the page, in a tab of its own.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const isDark = await page.evaluate<boolean>('matchMedia("(prefers-color-scheme: dark)").matches');
  const copy = await copyOf(page);
  await copy.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' });
  const { violations } = await copy.evaluate<{ violations: Violation[] }>(
    'axe.run({ resultTypes: ["violations"] })',
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
}

async function copyOf(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const opening = copies.get(browser) ?? browser.newPage();
  copies.set(browser, opening);
  const copy = await opening;
  await copy.setViewportSize(page.viewportSize() ?? { width: 1280, height: 800 });
  const { origin } = new URL(page.url());
  const blank = `${origin}/blank`;
  // The copy must have the origin of the page, for the sake of its style sheets. axe is loaded once for all of its pages.
  if (copy.url() !== blank) {
    await copy.unrouteAll();
    await copy.route(blank, (route) => route.fulfill({ body: '', contentType: 'text/html' }));
    await copy.goto(blank);
    await copy.evaluate(source);
  }
  const content = await page.content();
  // What its scripts did is in the content. One of them would send its form.
  await copy.setContent(content.replaceAll(/<script\b[\s\S]*?<\/script>/g, ''));
  return copy;
}
