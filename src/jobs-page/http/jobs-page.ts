import { type Html, html } from '#src/http/pages/html.js';
import type { Language } from '#src/http/pages/language.js';
import type { ShownJob } from '#src/jobs/job-view.js';
import type { JobsPage } from '../read-jobs.js';
import { type JobsPageTexts, jobsPageTexts } from '../texts.js';

/** The addresses that the page links to. */
export interface JobsAddresses {
  readonly page: string;
  readonly events: string;
  readonly account: string;
}

/**
 * The script of the page. It replaces the list with each list that the server sends. Only this service makes these lists,
 * and it escapes every value.
 */
export const liveScript = `const list=document.getElementById('jobs');
if(list.dataset.events)new EventSource(list.dataset.events).onmessage=(event)=>{list.innerHTML=JSON.parse(event.data)};`;

/** The page below its title. Only the page with the newest jobs updates itself, because older jobs do not change. */
export function jobsContent(
  page: JobsPage,
  { addresses, language, isNewest }: { addresses: JobsAddresses; language: Language; isNewest: boolean },
): Html {
  const t = jobsPageTexts[language];
  const older = page.next && `${addresses.page}?after=${encodeURIComponent(page.next)}`;
  return html`<div id="jobs"${isNewest && html` data-events="${addresses.events}"`}>${jobsList(page, language)}</div>
<p class="links"><a class="button quiet" href="${addresses.page}">${isNewest ? t.refresh : t.newest}</a>
${older && html`<a class="button quiet" href="${older}">${t.older}</a>`}
<a class="button quiet" href="${addresses.account}">${t.account}</a></p>`;
}

/** The part of the page that changes. */
export function jobsList({ jobs }: JobsPage, language: Language): Html {
  const t = jobsPageTexts[language];
  const section = (title: string, some: readonly ShownJob[]) => html`<section><h2>${title}</h2>
${some.length === 0 ? html`<p class="soft">${t.none}</p>` : html`<ul class="rows">${some.map((job) => row(job, language, t))}</ul>`}</section>`;
  return html`${section(
    t.running,
    jobs.filter(({ isOpen }) => isOpen),
  )}${section(
    t.ended,
    jobs.filter(({ isOpen }) => !isOpen),
  )}`;
}

function row(job: ShownJob, language: Language, t: JobsPageTexts): Html {
  const { processed, total, errors, perSecond, remainingSeconds } = job.progress;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  const at = (moment: Date) =>
    html`<time datetime="${moment.toISOString()}">${time.format(moment)} UTC</time>`;
  const kind = kindName(job, t);
  const numbers = [
    t.progress(number.format(processed), number.format(total)),
    errors > 0 && t.errors(number.format(errors)),
    perSecond !== undefined && t.rate(number.format(perSecond)),
    remainingSeconds !== undefined &&
      remainingSeconds > 0 &&
      t.remaining(lengthOf(remainingSeconds, language)),
  ];
  const bar =
    job.isOpen &&
    html`<progress max="${Math.max(1, total)}" value="${processed}" aria-label="${kind}"></progress>`;
  return html`<li class="job"><div class="row"><h3>${kind}</h3><p class="state ${job.state}">${t.states[job.state]}</p></div>
${bar}<p>${numbers.filter(Boolean).join(' · ')}</p>
<p class="hint">${t.begun}: ${at(job.created)}${
    job.finished &&
    html`<br>
${t.finished}: ${at(job.finished)}`
  }<br>
${job.orgId !== '*' && html`${t.organization}: <code>${job.orgId}</code><br>`}<code>${job.id}</code></p></li>`;
}

function kindName({ kind }: ShownJob, { kinds }: JobsPageTexts): string {
  return Object.entries(kinds).find(([name]) => name === kind)?.[1] ?? kind;
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
