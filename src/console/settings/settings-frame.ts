import { type HtmlValue, html } from '#src/http/pages/html.js';
import { tabs } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { pathOf, type ShownOrganization } from '../resources/organization-of.js';
import { settingsTexts } from './texts/texts.js';

const tabNames = ['general', 'signInPolicy', 'domains', 'members', 'schemas', 'grants', 'migration'] as const;

type SettingsTab = (typeof tabNames)[number];

/** The address of a tab, below the organization. */
function pathOfTab(tab: SettingsTab): string {
  if (tab === 'general') return '/settings';
  return tab === 'signInPolicy' ? '/settings/sign-in-policy' : `/settings/${tab}`;
}

/** One of the pages of an organization's settings. */
export function settingsFrame(
  visit: ConsoleVisit,
  {
    organization,
    tab,
    content,
    ...more
  }: { organization: ShownOrganization; tab: SettingsTab; content: HtmlValue } & Partial<ConsolePage>,
): ConsolePage {
  const { at, t, language } = visit;
  const texts = settingsTexts[language];
  const items = tabNames.map((name) => ({
    href: at(pathOf(visit, pathOfTab(name))),
    label: texts[name],
    isCurrent: name === tab,
  }));
  return {
    ...more,
    title: t.nav.settings,
    subtitle: organization.name,
    organization,
    content: html`${tabs(t.nav.settings, items)}${content}`,
  };
}

/** The places above a page below a tab. */
export function crumbsOf(visit: ConsoleVisit, tab: SettingsTab): NonNullable<ConsolePage['crumbs']> {
  return [{ href: visit.at(pathOf(visit, pathOfTab(tab))), label: settingsTexts[visit.language][tab] }];
}
