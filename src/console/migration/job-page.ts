import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import { actionButton } from '../http/form.js';
import { card, exact, facts, moment, number, table } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import {
  isOpen,
  isRehearsal,
  kindOf,
  type ListedJob,
  pathOfJob,
  progressBar,
  progressText,
  stateOf,
} from './jobs.js';
import { liveRegion, refreshSeconds } from './live.js';
import { importProblem } from './problems/import-problem.js';
import { type FirstErrors, readFirstErrors } from './read-first-errors.js';
import { jobTexts } from './texts/jobs.js';
import { migrationTexts } from './texts/texts.js';

/** One job: how far it is, what failed, and what can be done. */
export async function jobPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const id = param(visit, 'id');
  const job = await api.get<ListedJob>(`/admin/v1/jobs/${segmentOf(id)}`, { result: 'summary' });
  const errors = job.progress.errors > 0 || !isOpen(job) ? await readFirstErrors(visit, job) : undefined;
  const texts = jobTexts[language];
  const path = pathOfJob(job.id);
  return {
    title: kindOf(job, texts),
    subtitle: exact(job.id),
    crumbs: [{ href: at('/console/migration'), label: t.nav.migration }],
    content: liveRegion({
      id: 'job',
      address: at(path),
      isLive: isOpen(job),
      content: html`${stateCard(visit, job)}${resultCard(visit, job)}${errors && errorsCard(visit, job, errors)}`,
    }),
    refreshSeconds: isOpen(job) ? refreshSeconds : undefined,
  };
}

/** Ends the job. What it has done stays done. */
export async function cancelJob(visit: ConsoleVisit): Promise<GoTo> {
  const id = param(visit, 'id');
  await visit.api.send('DELETE', `/admin/v1/jobs/${segmentOf(id)}`);
  return { goTo: pathOfJob(id) };
}

function stateCard(visit: ConsoleVisit, job: ListedJob): Html {
  const { language } = visit;
  const [texts, t] = [migrationTexts[language], jobTexts[language]];
  const cancel =
    isOpen(job) &&
    html`${!isRehearsal(job) && html`<p class="hint">${texts.cancelHint}</p>`}${actionButton(visit, { action: `${pathOfJob(job.id)}/cancel`, label: texts.cancel, isDangerous: true })}`;
  const mayResume = job.kind === 'import' && ['failed', 'cancelled', 'expired'].includes(job.state);
  return card(
    texts.state,
    html`<p>${stateOf(job, t)}</p>${progressBar(job, t)}<p>${progressText(job, language)}</p>
${facts([
  [t.begun, moment(job.created, language)],
  [t.finished, moment(job.finished, language)],
  [t.organization, job.orgId === '*' ? undefined : exact(job.orgId)],
])}${cancel}${mayResume && html`<p>${isRehearsal(job) ? texts.dryRunAgain : texts.resume}</p>`}`,
  );
}

/** The numbers of the result, and the file of an export. */
function resultCard({ at, language }: ConsoleVisit, job: ListedJob): Html | undefined {
  const texts = migrationTexts[language];
  const isDry = isRehearsal(job);
  const words = isDry ? texts.dryRunCounts : texts.counts;
  const result = (job.result ?? {}) as Record<string, unknown>;
  const counts = (result.summary ?? result.counts ?? result.removed) as Record<string, unknown> | undefined;
  const rows = Object.entries(counts ?? {}).flatMap(([name, count]): [string, HtmlValue][] =>
    typeof count === 'number' ? [[wordOf(name, words), number(count, language)]] : [],
  );
  const { bytes, gcs, s3, azure, error } = result as {
    bytes?: number;
    gcs?: { bucket: string; path: string };
    s3?: { bucket: string; path: string };
    azure?: { container: string; path: string };
    error?: { id: string };
  };
  if (rows.length === 0 && error === undefined) return undefined;
  const target = gcs ?? s3 ?? (azure && { bucket: azure.container, path: azure.path });
  return card(
    texts.result,
    html`${isDry && html`<p><strong>${texts.nothingChanged}</strong></p>`}${error !== undefined && html`<div class="alert">${textOfRefusal(language, { id: error.id, status: 500 })}</div>`}
${facts([
  ...rows,
  [texts.bytes, bytes === undefined ? undefined : number(bytes, language)],
  [texts.bucket, target && html`<code>${target.bucket}/${target.path}</code>`],
])}
${bytes !== undefined && html`<p class="buttons"><a class="button" href="${at(`${pathOfJob(job.id)}/result`)}" download>${texts.download}</a></p><p class="hint">${texts.downloadHint}</p>`}`,
  );
}

function wordOf(name: string, words: Readonly<Record<string, string>>): string {
  return (Object.hasOwn(words, name) ? words[name] : undefined) ?? name;
}

function errorsCard(
  { at, language }: ConsoleVisit,
  job: ListedJob,
  { errors, hasMore }: FirstErrors,
): Html | undefined {
  const texts = migrationTexts[language];
  if (errors.length === 0) return undefined;
  const rows = errors.map(({ type, id, message }): HtmlValue[] => [
    html`<code>${type}</code>`,
    html`<code>${id}</code>`,
    importProblem(language, message),
  ]);
  return card(
    texts.errors,
    html`${hasMore && html`<p>${texts.firstErrors(number(errors.length, language))}</p>`}
<p class="buttons"><a class="button quiet" href="${at(`${pathOfJob(job.id)}/errors`)}" download>${texts.allErrors}</a></p>
${table({ caption: texts.errors, columns: [texts.errorType, texts.record, texts.message], rows })}`,
  );
}
