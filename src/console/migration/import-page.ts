import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { card } from '../http/parts.js';
import { problemText } from '../http/problem-page.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { bucketFields, bucketOf } from './bucket.js';
import { importText } from './import-text.js';
import { pathOfJob } from './jobs.js';
import { migrationTexts } from './texts/texts.js';
import { timeoutField, timeoutOf } from './timeouts.js';

const path = '/console/migration/import';
export const bucketImportPath = `${path}/bucket`;

interface Typed {
  readonly dryRun?: boolean;
  readonly update?: boolean;
  readonly timeout?: string;
  readonly form?: string;
}

/** Two forms for an import: a file, or an object of a bucket. After a refusal they have what was typed, but no secret and no file. */
export function importPage(
  visit: ConsoleVisit,
  { typed = {}, refused }: { typed?: Typed; refused?: ApiProblem } = {},
): ConsolePage {
  const { at, language, t } = visit;
  const own = migrationTexts[language];
  const dryRun = (hint: boolean) =>
    checkbox({
      name: 'dryRun',
      label: own.dryRun,
      isChecked: typed.dryRun ?? true,
      ...(hint && { hint: own.dryRunHint }),
    });
  const update = checkbox({
    name: 'update',
    label: own.update,
    isChecked: typed.update ?? false,
    hint: own.updateHint,
  });
  const cancel = { cancel: { href: at('/console/migration'), label: t.cancel } };
  const upload = form(visit, {
    action: path,
    isMultipart: true,
    // The file is last, so that the token and the choices arrive before it.
    content: html`${dryRun(true)}${update}${timeoutField(visit, typed.timeout)}
${field({ name: 'file', label: own.file, type: 'file', hint: own.fileHint, isRequired: true })}
${buttons(own.start, cancel)}`,
  });
  const bucket = form(visit, {
    action: bucketImportPath,
    content: html`${select({
      name: 'form',
      label: own.form,
      value: typed.form,
      choices: [
        { value: 'dataOrgsv1', label: own.formInstance },
        { value: 'dataOrgs', label: own.formExternal },
      ],
    })}${bucketFields(visit)}${timeoutField(visit, typed.timeout, 'bucket')}
${html`<div class="check"><input type="checkbox" id="f-dryRun-bucket" name="dryRun" value="on"${(typed.dryRun ?? true) && html` checked`}><label for="f-dryRun-bucket">${own.dryRun}</label></div>`}
${html`<div class="check"><input type="checkbox" id="f-update-bucket" name="update" value="on"${typed.update === true && html` checked`}><label for="f-update-bucket">${own.update}</label></div>`}
${buttons(own.start, cancel)}`,
  });
  return {
    title: own.import,
    subtitle: own.importAbout,
    crumbs: [{ href: at('/console/migration'), label: t.nav.migration }],
    content: html`<div class="cards">${card(own.fromFile, upload)}${card(own.fromBucket, bucket)}</div>`,
    ...(refused && { alert: problemText(refused), status: refused.status }),
  };
}

/** Passes the file on to the API while it arrives. */
export async function importUpload(
  visit: ConsoleVisit,
  { fields, file }: Upload,
): Promise<ConsolePage | GoTo> {
  const typed = {
    dryRun: fields.dryRun === 'on',
    update: fields.update === 'on',
    timeout: timeoutOf(fields.timeout),
  };
  return submit(visit, typed, async () => {
    const body = await importText(file ?? empty(), typed);
    return visit.api.submit('POST', '/admin/v1/import', body);
  });
}

/** Lets workers read the object of a bucket. */
export async function importBucket(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  // A page of an earlier version names the storage too.
  const form = ['dataOrgs', 'dataOrgsGcs'].includes(fieldText(visit, 'form')) ? 'dataOrgs' : 'dataOrgsv1';
  const typed = {
    dryRun: fieldText(visit, 'dryRun') === 'on',
    update: fieldText(visit, 'update') === 'on',
    timeout: timeoutOf(fieldText(visit, 'timeout')),
    form,
  };
  const { storage, object } = bucketOf(visit);
  return submit(visit, typed, () =>
    visit.api.submit('POST', '/admin/v1/import', {
      timeout: typed.timeout,
      dryRun: typed.dryRun,
      update: typed.update,
      [`${form}${storage}`]: object,
    }),
  );
}

async function submit(
  visit: ConsoleVisit,
  typed: Typed,
  begin: () => Promise<string>,
): Promise<ConsolePage | GoTo> {
  try {
    return { goTo: pathOfJob(await begin()) };
  } catch (refused) {
    if (!(refused instanceof ApiProblem) || refused.status === 401 || refused.status === 403) throw refused;
    return importPage(visit, { typed, refused });
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
