import { type HtmlValue, html } from '#src/http/pages/html.js';
import { badge, facts, number } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { organizationsTexts } from './texts/texts.js';

interface Job {
  readonly state: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
  readonly progress: { readonly processed: number };
  readonly result?: unknown;
}

/** How far the removal of an organization is. The page asks again by itself while the job runs. */
export async function removalPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = organizationsTexts[language];
  const id = segmentOf(param(visit, 'jobId'));
  const { state, progress } = await visit.api.get<Job>(`/admin/v1/jobs/${id}`);
  const here = at(`/console/removals/${id}`);
  const isOpen = state === 'queued' || state === 'running';
  const poll = isOpen && html` hx-get="${here}" hx-trigger="every 2s" hx-select="#job" hx-swap="outerHTML"`;
  const kind = state === 'completed' ? 'good' : isOpen ? 'soft' : 'bad';
  const rows: (readonly [string, HtmlValue])[] = [
    [texts.jobState, badge(texts[`job_${state}`], kind)],
    [texts.removedObjects, number(progress.processed, language)],
  ];
  return {
    title: texts.removalTitle,
    subtitle: texts.removalText,
    crumbs: [{ href: at('/console/orgs'), label: t.nav.organizations }],
    content: html`<div class="card" id="job" aria-live="polite"${poll}>${facts(rows)}
${isOpen && html`<p class="buttons"><a class="button quiet" href="${here}">${texts.reload}</a></p>`}</div>`,
  };
}
