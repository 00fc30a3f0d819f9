import { type HtmlValue, html } from '#src/http/pages/html.js';
import { tabs } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { pathOf, type ShownOrganization } from '../resources/organization-of.js';
import { provisioningTexts } from './texts/texts.js';

const tabPaths = { overview: '', log: '/log', test: '/test' } as const;

/** One of the pages about provisioning. */
export function provisioningFrame(
  visit: ConsoleVisit,
  {
    organization,
    tab,
    content,
    ...more
  }: {
    organization: ShownOrganization;
    tab: keyof typeof tabPaths;
    content: HtmlValue;
  } & Partial<ConsolePage>,
): ConsolePage {
  const { at, t, language } = visit;
  const texts = provisioningTexts[language];
  const items = (Object.keys(tabPaths) as (keyof typeof tabPaths)[]).map((name) => ({
    href: at(pathOf(visit, `/provisioning${tabPaths[name]}`)),
    label: texts[name],
    isCurrent: name === tab,
  }));
  return {
    ...more,
    title: t.nav.provisioning,
    subtitle: organization.name,
    organization,
    content: html`${tabs(t.nav.provisioning, items)}${content}`,
  };
}
