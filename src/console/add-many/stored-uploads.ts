import type { StagingStore } from '#src/jobs/staging.store.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { type UploadKind, uploadKinds } from '#src/migration/convert/upload/recognize-upload.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { ConsoleVisit } from '../http/visit.js';

/** A file that a person has uploaded, while the person decides what becomes of it. */
export interface StoredUpload {
  readonly kind: UploadKind;
  /** The text in UTF-8. */
  readonly text: Uint8Array;
}

export interface StoredUploadsDeps {
  readonly staging: StagingStore;
  readonly clock: Clock;
}

/** For how long a file is kept, in milliseconds. */
const keptMs = 3_600_000;
/** `{identifier}-{number of the kind}-{length of the text in bytes}`. It is no secret: the secret of the session is a part of the place. */
const nameForm = /^([\w-]{20,100})-(\d{1,2})-(\d{1,8})$/;

/**
 * Keeps a file for an hour, sealed, instead of the former file of this person. Only the same person finds it, in the same browser and for
 * the same organization: its place is a hash of them.
 * @returns its name, for addresses
 */
export async function storeUpload(
  { staging, clock }: StoredUploadsDeps,
  of: Holder,
  { kind, text }: StoredUpload,
): Promise<string> {
  const name = `${newId()}-${uploadKinds.indexOf(kind)}-${text.length}`;
  const id = placeOf(of, name);
  const writer = staging.writer(id, new Date(clock.now().getTime() + keptMs));
  try {
    await writer.write(text);
    await writer.finish();
  } finally {
    await writer.settle();
  }
  await staging.removeOthers(folderOf(of), id);
  return name;
}

/** The file of this name. Undefined if it is gone, or of another person, browser or organization. */
export async function findUpload(
  { staging }: Pick<StoredUploadsDeps, 'staging'>,
  of: Holder,
  name: string,
): Promise<StoredUpload | undefined> {
  const [, , number, length] = nameForm.exec(name) ?? [];
  const kind = uploadKinds[Number(number)];
  const id = placeOf(of, name);
  if (kind === undefined || !(await staging.has(id))) return undefined;
  return { kind, text: await staging.read(id, { start: 0, end: Number(length) }) };
}

/** Who may find a file. */
interface Holder {
  readonly visit: Pick<ConsoleVisit, 'me' | 'session'>;
  readonly orgId: string;
}

function folderOf({ visit: { me } }: Holder): string {
  return `kept-${hashSecret(`file ${me.userId}`)}`;
}

function placeOf(of: Holder, name: string): string {
  const { me, session } = of.visit;
  const place = hashSecret(JSON.stringify([session.secret, me.userId, of.orgId, name]));
  return `${folderOf(of)}.${place}`;
}
