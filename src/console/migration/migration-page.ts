import { html } from '#src/http/pages/html.js';
import { card, emptyList, pager } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { isOpen, type JobList, jobTable } from './jobs.js';
import { liveRegion, refreshSeconds } from './live.js';
import { migrationTexts } from './texts/texts.js';

/** The list of running and finished imports and exports. The newest page updates itself while something runs. */
export async function migrationPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { t, at, language } = visit;
  const texts = migrationTexts[language];
  const { content, refresh } = await jobList(visit, {
    path: '/console/migration',
    kind: 'import,verify,export',
    none: texts.none,
  });
  return {
    title: t.nav.migration,
    subtitle: texts.about,
    actions: html`<a class="button" href="${at('/console/migration/import')}">${texts.import}</a>
<a class="button" href="${at('/console/migration/export')}">${texts.export}</a>
<a class="button quiet" href="${at('/console/service/jobs')}">${texts.allJobs}</a>`,
    content,
    refreshSeconds: refresh,
  };
}

/** Every job of the service, whatever its kind. */
export async function jobsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { t, at, language } = visit;
  const texts = migrationTexts[language];
  const { content, refresh } = await jobList(visit, { path: '/console/service/jobs', none: texts.noJobs });
  return {
    title: texts.allJobs,
    subtitle: texts.aboutJobs,
    crumbs: [{ href: at('/console/service'), label: t.nav.service }],
    content,
    refreshSeconds: refresh,
  };
}

async function jobList(visit: ConsoleVisit, list: { path: string; kind?: string; none: string }) {
  const { api, at, language, t } = visit;
  const texts = migrationTexts[language];
  const { path, kind, none } = list;
  const after = queryText(visit, 'after').slice(0, 200);
  const { items, next } = await api.get<JobList>('/admin/v1/jobs', { limit: 25, after, kind });
  const open = items.filter(isOpen);
  const ended = items.filter((job) => !isOpen(job));
  const content = liveRegion({
    id: 'jobs',
    address: at(path),
    // Older jobs do not change.
    isLive: after === '',
    content: html`${open.length > 0 && card(texts.running, jobTable(visit, open, { caption: texts.running }))}${
      ended.length > 0 && card(texts.history, jobTable(visit, ended, { caption: texts.history }))
    }${items.length === 0 && emptyList(none)}${pager({
      t,
      first: after === '' ? undefined : at(path),
      next: next === undefined ? undefined : at(path, { after: next }),
    })}`,
  });
  return { content, refresh: after === '' && open.length > 0 ? refreshSeconds : undefined };
}
