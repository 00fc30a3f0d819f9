import type { Language } from '#src/http/base/language.js';
import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import type { JobState } from '#src/jobs/job.js';
import { badge, moment, table } from '../http/parts.js';
import { pathTo, segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { usersPath } from '../users/user.js';
import { type JobTexts, jobTexts } from './texts/jobs.js';
import { migrationTexts } from './texts/texts.js';

/** A job as the API returns it. */
export interface ListedJob {
  readonly id: string;
  readonly kind: string;
  readonly orgId: string;
  readonly state: JobState;
  /** Of an import or a verification: whether it changes nothing. */
  readonly dryRun?: boolean;
  readonly progress: {
    readonly processed: number;
    readonly total: number;
    readonly errors: number;
    readonly perSecond?: number;
    readonly remainingSeconds?: number;
  };
  readonly created: string;
  readonly finished?: string;
  readonly result?: unknown;
}

export interface JobList {
  readonly items: readonly ListedJob[];
  readonly next?: string;
}

/** Whether the job has not ended. */
export function isOpen({ state }: Pick<ListedJob, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** Where a job has its page. */
export function pathOfJob(id: string): string {
  return `/console/migration/jobs/${segmentOf(id)}`;
}

/** Where the owners of its organization find a job. Undefined for other jobs. */
function pathForOwners({ id, kind, orgId }: ListedJob): string | undefined {
  if (orgId !== '*' && kind === 'policy-trial')
    return pathTo(`${pathTo('/console/orgs', orgId)}/settings/sign-in-policy/trials`, id);
  const folder = ownFolders[kind];
  return orgId === '*' || folder === undefined ? undefined : pathTo(`${usersPath(orgId)}/${folder}/jobs`, id);
}

const ownFolders: Readonly<Partial<Record<string, string>>> = {
  import: 'many',
  verify: 'many',
  export: 'export',
  'user-actions': 'actions',
};

/** Jobs as a table. Owners of the instance have links to the pages of all jobs, and others to those of their organizations. */
export function jobTable(
  { at, language }: Pick<ConsoleVisit, 'at' | 'language'>,
  jobs: readonly ListedJob[],
  { caption, isLinked = true }: { caption: string; isLinked?: boolean },
): Html {
  const t = jobTexts[language];
  const linked = (job: ListedJob) => {
    const path = isLinked ? pathOfJob(job.id) : pathForOwners(job);
    return path === undefined
      ? kindOf(job, t)
      : html`<a class="whole" href="${at(path)}">${kindOf(job, t)}</a>`;
  };
  const rows = jobs.map((job): HtmlValue[] => [
    html`<div>${linked(job)}${
      job.orgId !== '*' && html`<p class="hint">${t.organization}: <code>${job.orgId}</code></p>`
    }${isRehearsal(job) && !isOpen(job) && html`<p class="hint">${migrationTexts[language].nothingChanged}</p>`}</div>`,
    stateOf(job, t),
    html`<div>${progressBar(job, t)}${progressText(job, language)}</div>`,
    moment(job.created, language),
  ]);
  return table({ caption, columns: [t.kind, t.state, t.done, t.begun], rows });
}

/** Whether the job says what an import would do. A verification changes nothing by its nature. */
export function isRehearsal({ kind, dryRun }: Pick<ListedJob, 'kind' | 'dryRun'>): boolean {
  return kind === 'import' && dryRun === true;
}

/** The kind of a job in words. An unknown kind has its name. */
export function kindOf(
  { kind, dryRun: isDry }: Pick<ListedJob, 'kind' | 'dryRun'>,
  { kinds, dryRun }: Pick<JobTexts, 'kinds' | 'dryRun'>,
): string {
  if (isRehearsal({ kind, ...(isDry !== undefined && { dryRun: isDry }) })) return dryRun;
  return Object.entries(kinds).find(([name]) => name === kind)?.[1] ?? kind;
}

/** The state of a job, in colour and in words. */
export function stateOf({ state }: Pick<ListedJob, 'state'>, { states }: Pick<JobTexts, 'states'>): Html {
  const kind = state === 'completed' ? 'good' : state === 'failed' || state === 'expired' ? 'bad' : 'soft';
  return badge(states[state], kind);
}

/** A bar, while the job is open. */
export function progressBar(job: ListedJob, t: JobTexts): Html | undefined {
  const { processed, total } = job.progress;
  if (!isOpen(job)) return undefined;
  return html`<progress max="${Math.max(1, total)}" value="${processed}" aria-label="${kindOf(job, t)}"></progress>`;
}

/** How far a job is, how fast it goes, and how long the rest takes. */
export function progressText({ progress }: ListedJob, language: Language): string {
  const t = jobTexts[language];
  const { processed, total, errors, perSecond, remainingSeconds } = progress;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const numbers = [
    t.progress(number.format(processed), number.format(total)),
    errors > 0 && t.errors(number.format(errors)),
    perSecond !== undefined && t.rate(number.format(perSecond)),
    remainingSeconds !== undefined &&
      remainingSeconds > 0 &&
      t.remaining(lengthOf(remainingSeconds, language)),
  ];
  return numbers.filter(Boolean).join(' · ');
}

/** A length of time in one unit that people read easily: seconds, minutes or hours. */
function lengthOf(seconds: number, language: Language): string {
  const [unit, size] =
    seconds < 120
      ? (['second', 1] as const)
      : seconds < 7200
        ? (['minute', 60] as const)
        : (['hour', 3600] as const);
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.ceil(seconds / size));
}
