import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form } from '../http/form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldLines, fieldText, fieldValues } from '../http/visit.js';
import { bucketFields, bucketNames, bucketOf } from './bucket.js';
import { pathOfJob } from './jobs.js';
import { migrationTexts } from './texts/texts.js';
import { timeoutField, timeoutOf } from './timeouts.js';

const path = '/console/migration/export';

/** The organizations that the form names: by their boxes, or by their identifiers. */
const names = { orgIds: ['otherOrgs', 'org'], 'export.organizationUnknown': ['otherOrgs', 'org'] };

/** Organizations that the form lists. Others are named by their identifiers. */
const listed = 30;

/** The form for an export. After a refusal it has what was typed, but no secret. */
export async function exportPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = migrationTexts[language];
  const organizations = await api.get<{ items: { id: string; name: string }[]; next?: string }>(
    '/admin/v1/orgs',
    { limit: listed },
  );
  const chosen = new Set(fieldValues(visit, 'org'));
  const isTicked = (name: string) => fieldText(visit, name) === 'on';
  const target = fieldText(visit, 'target');
  const content = html`<fieldset><legend>${texts.organizations}</legend><p class="hint">${texts.organizationsHint}</p>
${organizations.items.map(({ id, name }) => checkbox({ name: 'org', value: id, label: name, isChecked: chosen.has(id) }))}
${organizations.next !== undefined && field({ name: 'otherOrgs', label: texts.otherOrganizations, hint: texts.otherOrganizationsHint, value: fieldText(visit, 'otherOrgs'), rows: 3, isExact: true, maxLength: 20_000 })}</fieldset>
<fieldset><legend>${texts.secrets}</legend><p class="hint">${texts.secretsHint}</p>
${checkbox({ name: 'withPasswords', label: texts.withPasswords, isChecked: isTicked('withPasswords') })}
${checkbox({ name: 'withOtp', label: texts.withOtp, isChecked: isTicked('withOtp') })}</fieldset>
<fieldset><legend>${texts.target}</legend>
${checkbox({ name: 'target', type: 'radio', value: 'download', label: texts.toDownload, isChecked: target !== 'bucket' })}
${checkbox({ name: 'target', type: 'radio', value: 'bucket', label: texts.toBucket, isChecked: target === 'bucket' })}
<details${target === 'bucket' && html` open`}><summary>${texts.bucket}</summary>${bucketFields(visit)}</details></fieldset>
${timeoutField(visit, timeoutOf(fieldText(visit, 'timeout')))}
${buttons(texts.start, { cancel: { href: at('/console/migration'), label: t.cancel } })}`;
  return {
    title: texts.export,
    subtitle: texts.exportAbout,
    crumbs: [{ href: at('/console/migration'), label: t.nav.migration }],
    content: html`<div class="card">${form(visit, { action: path, content })}</div>`,
    ...(refused && { refused: { problem: refused, names: { ...bucketNames(visit), ...names } } }),
  };
}

/** Lets workers write the export, and leads to its job. */
export async function startExport(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { storage, object } = bucketOf(visit);
  const orgIds = [...new Set([...fieldValues(visit, 'org'), ...fieldLines(visit, 'otherOrgs')])];
  const body = {
    ...(orgIds.length > 0 && { orgIds }),
    withPasswords: fieldText(visit, 'withPasswords') === 'on',
    withOtp: fieldText(visit, 'withOtp') === 'on',
    timeout: timeoutOf(fieldText(visit, 'timeout')),
    ...(fieldText(visit, 'target') === 'bucket'
      ? { [`${storage.toLowerCase()}Output`]: object }
      : { responseOutput: true }),
  };
  try {
    return { goTo: pathOfJob(await visit.api.submit('POST', '/admin/v1/export', body)) };
  } catch (refused) {
    if (!(refused instanceof ApiProblem) || refused.status === 401 || refused.status === 403) throw refused;
    return exportPage(visit, refused);
  }
}
