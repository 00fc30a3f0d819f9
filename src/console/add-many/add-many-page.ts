import type { Readable } from 'node:stream';
import { html } from '#src/http/pages/html.js';
import {
  mostUploadBytes,
  type UploadFault,
  type UploadKind,
  uploadKinds,
} from '#src/migration/convert/upload/recognize-upload.js';
import { buttons, field, form, select } from '../http/form.js';
import { card } from '../http/parts.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { refusalOfPage } from '../refusals/refusal.js';
import { usersPath } from '../users/user.js';
import { type ConvertingDeps, readArrived, takeIn } from './converting.js';
import { ownedOrganization } from './owned-organization.js';
import { type StoredUploadsDeps, storeUpload } from './stored-uploads.js';
import { addManyTexts } from './texts/texts.js';

/** The longest time in which a file may arrive, in milliseconds. A connection on which no byte arrives is closed sooner. */
const longestArrivalMs = 120_000;

/** The most characters of cells that are pasted. */
const mostPasted = 300_000;

/** Where a person adds many users. */
export function addManyPath(orgId: string): string {
  return `${usersPath(orgId)}/many`;
}

/** Two forms: a file, or cells of a table that are pasted. */
export async function addManyPage(visit: ConsoleVisit, fault?: UploadFault): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = addManyTexts[language];
  const organization = await ownedOrganization(visit);
  const path = addManyPath(organization.id);
  const cancel = { cancel: { href: at(usersPath(organization.id)), label: t.cancel } };
  const kinds = (['auto', ...uploadKinds] as const).map((value) => ({ value, label: texts.kinds[value] }));
  const upload = form(visit, {
    action: path,
    isMultipart: true,
    // The file is last, so that the token and the choice arrive before it.
    content: html`${select({ name: 'kind', label: texts.kind, choices: kinds })}
${field({ name: 'file', label: texts.file, type: 'file', hint: texts.fileHint, isRequired: true })}
${buttons(texts.show, cancel)}`,
  });
  const cells = form(visit, {
    action: `${path}/cells`,
    content: html`${field({ name: 'cells', label: texts.cells, value: fieldText(visit, 'cells'), hint: texts.cellsHint, rows: 8, isExact: true, isRequired: true, maxLength: mostPasted })}
${buttons(texts.show, cancel)}`,
  });
  return {
    organization,
    title: texts.title,
    subtitle: texts.about,
    crumbs: [{ href: at(usersPath(organization.id)), label: t.nav.users }],
    content: html`<div class="cards">${card(texts.fromFile, upload)}${card(texts.fromCells, cells)}</div>`,
    ...(fault !== undefined && {
      refused: { problem: refusalOfPage('file', texts.faults[fault]), names: { file: ['file', 'cells'] } },
    }),
  };
}

/** Keeps the file, and shows what becomes of it. */
export async function takeFile(
  deps: StoredUploadsDeps & ConvertingDeps,
  visit: ConsoleVisit,
  { fields, file }: Upload,
): Promise<ConsolePage | GoTo> {
  return keep(deps, visit, {
    kind: uploadKinds.find((one) => one === fields.kind),
    bytes: () => bytesOf(file),
  });
}

/** The same for cells that a person pasted. */
export function takeCells(
  deps: StoredUploadsDeps & ConvertingDeps,
  visit: ConsoleVisit,
): Promise<ConsolePage | GoTo> {
  return keep(deps, visit, { kind: 'table', bytes: async () => Buffer.from(fieldText(visit, 'cells')) });
}

async function keep(
  deps: StoredUploadsDeps & ConvertingDeps,
  visit: ConsoleVisit,
  given: { readonly kind: UploadKind | undefined; readonly bytes: () => Promise<Buffer | undefined> },
): Promise<ConsolePage | GoTo> {
  const { id: orgId } = await ownedOrganization(visit);
  const bytes = await takeIn(orgId, given.bytes);
  if (bytes === undefined) return addManyPage(visit, 'tooLarge');
  const { read, fault = 'unreadable' } = await readArrived(deps, orgId, { bytes, kind: given.kind });
  if (read === undefined) return addManyPage(visit, fault);
  const name = await storeUpload(deps, { visit, orgId }, read);
  return { goTo: pathTo(addManyPath(orgId), name) };
}

/** The bytes of an upload. Undefined if they are too many, or arrive too slowly. */
async function bytesOf(file: Readable | undefined): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  const latest = performance.now() + longestArrivalMs;
  for await (const piece of file ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostUploadBytes || performance.now() > latest) return undefined;
  }
  return Buffer.concat(pieces);
}
