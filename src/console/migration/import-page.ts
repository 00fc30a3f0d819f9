import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { card } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { bucketFields, bucketNames, bucketOf } from './bucket.js';
import { importText } from './import-text.js';
import { pathOfJob } from './jobs.js';
import { migrationTexts } from './texts/texts.js';
import { timeoutField, timeoutOf } from './timeouts.js';

const path = '/console/migration/import';
export const bucketImportPath = `${path}/bucket`;
export const addressImportPath = `${path}/address`;

/** Errors about the file, or about the address. */
const names = {
  ...{ 'import.bodyMalformed': 'file', 'import.tooLarge': 'file', 'http.bodyTooLarge': 'file' },
  ...{
    'source.addressInvalid': 'url',
    'source.hostNotAllowed': 'url',
    'source.hostUnknown': 'url',
    'source.refused': 'url',
  },
};

interface Typed {
  readonly dryRun?: boolean;
  readonly update?: boolean;
  readonly timeout?: string;
  readonly form?: string;
}

/** Three forms for an import: a file, an object of a bucket, or an https address. After a refusal they have what was typed, but no secret and no file. */
export function importPage(
  visit: ConsoleVisit,
  { typed = {}, refused }: { typed?: Typed; refused?: ApiProblem } = {},
): ConsolePage {
  const { at, language, t } = visit;
  const texts = migrationTexts[language];
  const dryRun = (hint: boolean) =>
    checkbox({
      name: 'dryRun',
      label: texts.dryRun,
      isChecked: typed.dryRun ?? true,
      ...(hint && { hint: texts.dryRunHint }),
    });
  const update = checkbox({
    name: 'update',
    label: texts.update,
    isChecked: typed.update ?? false,
    hint: texts.updateHint,
  });
  const cancel = { cancel: { href: at('/console/migration'), label: t.cancel } };
  const upload = form(visit, {
    action: path,
    isMultipart: true,
    // The file is last, so that the token and the choices arrive before it.
    content: html`${dryRun(true)}${update}${timeoutField(visit, typed.timeout)}
${field({ name: 'file', label: texts.file, type: 'file', hint: texts.fileHint, isRequired: true })}
${buttons(texts.start, cancel)}`,
  });
  const forms = [
    { value: 'dataOrgsv1', label: texts.formInstance },
    { value: 'dataOrgs', label: texts.formExternal },
  ];
  // Each form has identifiers of its own, so that labels lead to its own fields.
  const choicesOf = (id: string) => html`${timeoutField(visit, typed.timeout, id)}
${html`<div class="check"><input type="checkbox" id="f-dryRun-${id}" name="dryRun" value="on"${(typed.dryRun ?? true) && html` checked`}><label for="f-dryRun-${id}">${texts.dryRun}</label></div>`}
${html`<div class="check"><input type="checkbox" id="f-update-${id}" name="update" value="on"${typed.update === true && html` checked`}><label for="f-update-${id}">${texts.update}</label></div>`}
${buttons(texts.start, cancel)}`;
  const bucket = form(visit, {
    action: bucketImportPath,
    content: html`${select({ name: 'form', label: texts.form, value: typed.form, choices: forms })}${bucketFields(visit)}${choicesOf('bucket')}`,
  });
  const address = form(visit, {
    action: addressImportPath,
    content: html`<div class="field"><label for="f-form-address">${texts.form}</label><select id="f-form-address" name="form">${forms.map(({ value, label }) => html`<option value="${value}"${value === typed.form && html` selected`}>${label}</option>`)}</select></div>
${field({ name: 'url', label: texts.address, hint: texts.addressHint, isExact: true, isMasked: true, isRequired: true, maxLength: 4_096 })}${choicesOf('address')}`,
  });
  return {
    title: texts.import,
    subtitle: texts.importAbout,
    crumbs: [{ href: at('/console/migration'), label: t.nav.migration }],
    content: html`<div class="cards">${card(texts.fromFile, upload)}${card(texts.fromBucket, bucket)}${card(texts.fromAddress, address)}</div>`,
    ...(refused && { refused: { problem: refused, names: { ...bucketNames(visit), ...names } } }),
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
export function importBucket(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { storage, object } = bucketOf(visit);
  return importObject(visit, storage, object);
}

/** Lets workers read an https address. */
export function importAddress(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  return importObject(visit, 'Https', { url: fieldText(visit, 'url') });
}

/** @param source what the name of the property ends with that takes the object */
function importObject(visit: ConsoleVisit, source: string, object: object): Promise<ConsolePage | GoTo> {
  // A page of an earlier version names the storage too.
  const form = ['dataOrgs', 'dataOrgsGcs'].includes(fieldText(visit, 'form')) ? 'dataOrgs' : 'dataOrgsv1';
  const typed = {
    dryRun: fieldText(visit, 'dryRun') === 'on',
    update: fieldText(visit, 'update') === 'on',
    timeout: timeoutOf(fieldText(visit, 'timeout')),
    form,
  };
  return submit(visit, typed, () =>
    visit.api.submit('POST', '/admin/v1/import', {
      timeout: typed.timeout,
      dryRun: typed.dryRun,
      update: typed.update,
      [`${form}${source}`]: object,
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
