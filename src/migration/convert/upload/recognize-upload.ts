import { gunzipSync } from 'node:zlib';
import { StartError } from '#src/platform/start-error.js';

/** The systems whose files a person can upload. `table`: any table. `muster`: an export of this service, or an import body.
 * `json`: JSON of any other system. */
export const uploadKinds = [
  ...(['table', 'muster', 'keycloak', 'auth0', 'okta', 'entra', 'cognito', 'firebase'] as const),
  ...(['fusionauth', 'kratos', 'ldif', 'json'] as const),
] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** The most bytes of a file, also after it was unpacked: about 20,000 people. */
export const mostUploadBytes = 8 * 2 ** 20;
/** The most lines and objects. Each may become a record, which is longer than the shortest line. */
const mostLines = 50_001;
const mostObjects = 150_000;
/** Characters that are enough to see what a file is. */
const headLength = 65_536;

/** Why a file cannot be read. A page says it in the person's language. */
export type UploadFault = 'empty' | 'tooLarge' | 'workbook' | 'unreadable';

/** Raised for a file that nothing can be made of. */
export class UnreadableUpload extends StartError {
  readonly fault: UploadFault;

  constructor(fault: UploadFault) {
    super(`The file cannot be used: ${fault}`);
    this.fault = fault;
  }
}

/**
 * The text of an uploaded file in UTF-8, whatever Excel and others write: UTF-16, Windows-1252, and gzip around it.
 * @throws UnreadableUpload
 */
export function readUpload(bytes: Buffer): Buffer {
  const text = decoded(unpacked(bytes));
  if (text.length > mostUploadBytes) throw new UnreadableUpload('tooLarge');
  if (!/\S/.test(text.toString('latin1'))) throw new UnreadableUpload('empty');
  if (countOf(text, 0x0a) > mostLines || countOf(text, 0x7b) > mostObjects)
    throw new UnreadableUpload('tooLarge');
  return text;
}

/** What a file probably is. The person may know better. @param text that {@link readUpload} returned */
export function recognizeUpload(text: Buffer): UploadKind {
  const head = text.toString('utf8', 0, headLength).trimStart();
  if (/^(?:version: *1|dn::? *\S)/im.test(head.split('\n', 1)[0] ?? '')) return 'ldif';
  if (!/^[{[]/.test(head)) return 'table';
  return signs.find(([, pattern]) => pattern.test(head))?.[0] ?? 'json';
}

/** Members by which the files of systems differ, the surest first. */
const signs: readonly (readonly [UploadKind, RegExp])[] = [
  ['muster', /^\{\s*"(?:orgs|timeout|dataOrgs(?:v1)?|data_orgs(?:v1)?)"/],
  ['auth0', /"user_id"\s*:\s*"[^"]*\|/],
  ['cognito', /"(?:UserAttributes|UserStatus|UserCreateDate)"\s*:/],
  ['entra', /"(?:userPrincipalName|@odata\.context)"\s*:/],
  ['firebase', /"localId"\s*:/],
  ['fusionauth', /"(?:tenantId|encryptionScheme|insertInstant)"\s*:/],
  ['kratos', /"(?:schema_id|traits)"\s*:/],
  ['okta', /"(?:statusChanged|passwordChanged|activated)"\s*:/],
  ['keycloak', /"(?:realm|credentialData|createdTimestamp|requiredActions|realmRoles|clientRoles)"\s*:/],
];

function unpacked(bytes: Buffer): Buffer {
  if (bytes.length > mostUploadBytes) throw new UnreadableUpload('tooLarge');
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw new UnreadableUpload('workbook');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: 2 * mostUploadBytes });
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new UnreadableUpload(isLarge ? 'tooLarge' : 'unreadable');
  }
}

/** A text that is not UTF-8 and has no mark is what Excel writes in western Europe and America. */
function decoded(bytes: Buffer): Buffer {
  const encodings = [markedEncoding(bytes), 'utf-8', 'windows-1252'].filter((one) => one !== undefined);
  for (const encoding of encodings) {
    try {
      return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes));
    } catch {
      // The next one may fit.
    }
  }
  throw new UnreadableUpload('unreadable');
}

/** UTF-16 by its mark, or by the zero bytes of its first character. */
function markedEncoding([first, second]: Buffer): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return undefined;
}

function countOf(text: Buffer, byte: number): number {
  let count = 0;
  for (let at = text.indexOf(byte); at >= 0; at = text.indexOf(byte, at + 1)) count++;
  return count;
}
