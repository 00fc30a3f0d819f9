import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, form } from '../http/form.js';
import { card, facts, number } from '../http/parts.js';
import type { ConsolePage, GoTo, Sent } from '../http/respond.js';
import { pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { downloadExport } from '../migration/downloads.js';
import { isOpen, kindOf, type ListedJob, progressBar, progressText, stateOf } from '../migration/jobs.js';
import { liveRegion, refreshSeconds } from '../migration/live.js';
import { jobTexts } from '../migration/texts/jobs.js';
import { migrationTexts } from '../migration/texts/texts.js';
import { usersPath } from '../users/user.js';
import { ownedOrganization } from './owned-organization.js';
import { addManyTexts } from './texts/texts.js';

/** Where an owner exports the organization. */
function exportPath(orgId: string): string {
  return `${usersPath(orgId)}/export`;
}

/** What an export has, and the button that begins it. */
export async function ownExportPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = addManyTexts[language];
  const organization = await ownedOrganization(visit);
  const { id: orgId } = organization;
  const begin = form(visit, {
    action: exportPath(orgId),
    content: buttons(texts.export, { cancel: { href: at(usersPath(orgId)), label: t.cancel } }),
  });
  return {
    organization,
    title: texts.export,
    crumbs: [{ href: at(usersPath(orgId)), label: t.nav.users }],
    content: card(texts.export, begin, { hint: texts.exportHint }),
    ...(refused && { refused: { problem: refused } }),
  };
}

/** Lets workers write the export, and leads to its job. */
export async function beginExport(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { id: orgId } = await ownedOrganization(visit);
  const body = { responseOutput: true, timeout: '2h' };
  try {
    const jobId = await visit.api.submit('POST', `${pathTo('/admin/v1/orgs', orgId)}/export`, body);
    return { goTo: pathTo(`${exportPath(orgId)}/jobs`, jobId) };
  } catch (refused) {
    if (!(refused instanceof ApiProblem) || refused.status === 401 || refused.status === 403) throw refused;
    return ownExportPage(visit, refused);
  }
}

/** The file of an export. The API says nothing of a job that the person may not see. */
export async function downloadOwnExport(visit: ConsoleVisit): Promise<Sent> {
  await visit.api.get(`/admin/v1/jobs/${segmentOf(param(visit, 'id'))}`, { result: 'summary' });
  return downloadExport(visit);
}

/** How far an export is, and its file. */
export async function exportJobPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const [texts, words] = [migrationTexts[language], jobTexts[language]];
  const organization = await ownedOrganization(visit);
  const { id: orgId } = organization;
  const id = param(visit, 'id');
  const job = await api.get<ListedJob>(`/admin/v1/jobs/${segmentOf(id)}`, { result: 'summary' });
  const { bytes } = (job.result ?? {}) as { bytes?: number };
  const path = pathTo(`${exportPath(orgId)}/jobs`, job.id);
  const file =
    bytes !== undefined &&
    html`<p class="buttons"><a class="button" href="${at(`${path}/result`)}" download>${texts.download}</a></p><p class="hint">${texts.downloadHint}</p>`;
  return {
    organization,
    title: kindOf(job, words),
    crumbs: [{ href: at(usersPath(orgId)), label: t.nav.users }],
    content: liveRegion({
      id: 'job',
      address: at(path),
      isLive: isOpen(job),
      content: card(
        texts.result,
        html`<p>${stateOf(job, words)}</p>${progressBar(job, words)}<p>${progressText(job, language)}</p>${facts(
          [[texts.bytes, bytes === undefined ? undefined : number(bytes, language)]],
        )}${file}`,
      ),
    }),
    refreshSeconds: isOpen(job) ? refreshSeconds : undefined,
  };
}
