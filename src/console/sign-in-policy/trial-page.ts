import type { SignInPolicy } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import { ApiProblem } from '../http/api.js';
import { actionButton } from '../http/form.js';
import { card } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { isOpen, type ListedJob, progressBar, progressText, stateOf } from '../migration/jobs.js';
import { liveRegion, refreshSeconds } from '../migration/live.js';
import { jobTexts } from '../migration/texts/jobs.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { settingsFrame } from '../settings/settings-frame.js';
import { fieldsOfPolicy } from './policy-form.js';
import { namesInPolicy } from './policy-identifiers.js';
import { policyForm, policyPath, readPolicy } from './policy-page.js';
import { policyTexts } from './texts/texts.js';
import { type Trial, trialCard } from './trial-card.js';

/** What the job found, with the policy that it tried. */
type Result = Partial<Trial> & { readonly policy?: SignInPolicy; readonly error?: { readonly id: string } };

const jobPathOf = (visit: ConsoleVisit) => `/admin/v1/jobs/${segmentOf(param(visit, 'jobId'))}`;

/** A trial that looks at everybody: how far it is, and then its result, above the form with the policy that it tried. */
export async function trialPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const [organization, job] = await Promise.all([organizationOf(visit), trialJob(visit)]);
  const result = (job.result ?? {}) as Result;
  const path = pathOf(visit, `${policyPath}/trials/${segmentOf(job.id)}`);
  return settingsFrame(visit, {
    organization,
    tab: 'signInPolicy',
    content: liveRegion({
      id: 'trial-job',
      address: visit.at(path),
      isLive: isOpen(job),
      content: html`${isResult(result) ? trialCard(visit, result) : stateCard(visit, job, result)}
${result.policy && (await formWith(visit, result.policy))}`,
    }),
    refreshSeconds: isOpen(job) ? refreshSeconds : undefined,
  });
}

function isResult(result: Result): result is Trial {
  return result.people !== undefined;
}

function stateCard(visit: ConsoleVisit, job: ListedJob, { error }: Result): Html {
  const words = jobTexts[visit.language];
  const texts = policyTexts[visit.language].trial;
  const cancel = actionButton(visit, {
    action: pathOf(visit, `${policyPath}/trials/${segmentOf(job.id)}/cancel`),
    label: texts.cancel,
  });
  return card(
    texts.title,
    isOpen(job)
      ? html`<p>${texts.takesLong}</p><p>${stateOf(job, words)}</p>${progressBar(job, words)}<p>${progressText(job, visit.language)}</p>${cancel}`
      : html`<p>${stateOf(job, words)}</p><p>${texts.notCompleted}</p>${error && textOfRefusal(visit.language, { id: error.id, status: 403 })}
<p class="buttons"><a class="button quiet" href="${visit.at(pathOf(visit, policyPath))}">${texts.back}</a></p>`,
  );
}

async function formWith(visit: ConsoleVisit, policy: SignInPolicy): Promise<Html> {
  const [{ version }, nameOf] = await Promise.all([readPolicy(visit), namesInPolicy(visit, policy)]);
  return policyForm(visit, fieldsOfPolicy(policy, nameOf), String(version));
}

/** Ends a trial. */
export async function cancelTrial(visit: ConsoleVisit): Promise<GoTo> {
  const { id } = await trialJob(visit);
  await visit.api.send('DELETE', jobPathOf(visit));
  return { goTo: pathOf(visit, `${policyPath}/trials/${segmentOf(id)}`) };
}

/** @throws ApiProblem if the job is no trial of the organization of the page */
async function trialJob(visit: ConsoleVisit): Promise<ListedJob> {
  const job = await visit.api.get<ListedJob>(jobPathOf(visit));
  if (job.kind === 'policy-trial' && job.orgId === param(visit, 'orgId')) return job;
  throw new ApiProblem({ status: 404, id: '', detail: 'No such job' });
}
