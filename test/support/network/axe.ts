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

/** The rules for each colour scheme. Only the contrast depends on it. */
const rules = { light: {}, dark: { runOnly: ['color-contrast', 'link-in-text-block'] } };

/**
 * The violations of accessibility rules (WCAG 2.2 A and AA, and good practice) that axe finds in a page, in light and in
 * dark, each as a line. It reads a copy of the page, in a tab of its own.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const copy = await copyOf(page);
  const lines: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await copy.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await copy.evaluate<{ violations: Violation[] }>(
      `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...rules[colorScheme] })})`,
    );
    for (const { id, help, nodes } of violations) {
      for (const { html, failureSummary = '' } of nodes)
        lines.push(`${colorScheme}: ${id}: ${help}: ${html} ${failureSummary}`);
    }
  }
  return lines;
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
