import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { userActionPath } from '../choosing/chosen.js';
import type { UserActionName } from '../choosing/texts/shape.js';
import { userActionTexts } from '../choosing/texts/texts.js';
import { ApiProblem } from '../http/api.js';
import { card, facts, moment, number, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { isOpen, type ListedJob, progressBar, progressText, stateOf } from '../migration/jobs.js';
import { liveRegion, refreshSeconds } from '../migration/live.js';
import { jobTexts } from '../migration/texts/jobs.js';
import { managedOrganization } from '../resources/named-organization.js';
import { usersPath } from '../users/user.js';

interface ActionResult {
  readonly action: UserActionName;
  readonly done: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly failures: readonly {
    readonly userId: string;
    readonly userName?: string;
    readonly error: string;
  }[];
  readonly error?: string;
}

/** How far an action with several users is, and with whom it was not possible. */
export async function actionJobPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const organization = await managedOrganization(visit);
  const job = await api.get<ListedJob>(`/admin/v1/jobs/${segmentOf(param(visit, 'jobId'))}`);
  if (job.kind !== 'user-actions' || job.orgId !== organization.id)
    throw new ApiProblem({ status: 404, id: '', detail: 'No such job' });
  const texts = userActionTexts[language];
  const list = usersPath(organization.id);
  const words = jobTexts[language];
  const result = job.result as ActionResult | undefined;
  return {
    organization,
    title: result ? texts.title[result.action] : words.kinds['user-actions'],
    crumbs: [{ href: at(list), label: t.nav.users }],
    content: liveRegion({
      id: 'job',
      address: at(pathTo(`${userActionPath(organization.id)}/jobs`, job.id)),
      isLive: isOpen(job),
      content: html`<div class="card"><p>${stateOf(job, words)}</p>${progressBar(job, words)}${isOpen(job) && html`<p>${progressText(job, language)}</p>`}
${result?.error !== undefined && html`<p><strong>${texts.lost}</strong></p>`}
${result && facts(countsOf(visit, result, job))}
<p class="buttons"><a class="button" href="${at(list)}">${texts.back}</a></p></div>
${result && failuresCard(visit, result)}`,
    }),
    refreshSeconds: isOpen(job) ? refreshSeconds : undefined,
  };
}

function countsOf(
  { language }: ConsoleVisit,
  { done, unchanged, failed }: ActionResult,
  { finished }: ListedJob,
): (readonly [string, HtmlValue])[] {
  const texts = userActionTexts[language];
  return [
    [texts.done, number(done, language)],
    [texts.unchanged, number(unchanged, language)],
    [texts.failed, number(failed, language)],
    [jobTexts[language].finished, moment(finished, language)],
  ];
}

function failuresCard({ language, t }: ConsoleVisit, { failures }: ActionResult): Html | undefined {
  if (failures.length === 0) return undefined;
  const texts = userActionTexts[language];
  const rows = failures.map(({ userId, userName, error }): HtmlValue[] => [
    html`<code class="whole">${userName ?? userId}</code>`,
    (Object.hasOwn(texts.errors, error) ? texts.errors[error] : undefined) ?? texts.otherError(error),
  ]);
  return card(texts.failures, table({ caption: texts.failures, columns: [t.nav.users, texts.error], rows }));
}
