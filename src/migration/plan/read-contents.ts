import { clearPasswordIn } from '#src/keys/password-hashes/clear-password.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { maxRecordBytes } from '../format/record-size.js';
import { ScanError } from '../import/receive/scan/scan-handler.js';
import { ImportScanner } from '../import/receive/scan/scan-import.js';

/** The password that the record of a person has: a hash, clear text, or none. */
export type PasswordKind = 'hash' | 'clear' | 'none';

/** The kind of a password in clear text among those of hashes. */
export const clearText = 'clear text';

/** What the body of an import has, counted. */
export interface ImportContents {
  readonly organizations: number;
  /** The records of each list, by its key. */
  readonly lists: ReadonlyMap<string, number>;
  /** People by the kind of their password hash, such as `$2b$` or `{SSHA}`. */
  readonly hashes: ReadonlyMap<string, number>;
  /** People whose hash is of no form that is taken, or costs too much. */
  readonly unusableHashes: number;
  /** Active people without a password. */
  readonly withoutPassword: number;
  /** Of these, people whom a mail with a link cannot reach. */
  readonly withoutPasswordAndMail: number;
  readonly withSecondFactor: number;
  /** What the first people have to sign in with. */
  readonly sample: readonly PasswordKind[];
}

/**
 * Counts what the body of an import has. It holds about 2 MiB of the text and the sample in memory.
 * @param body its text, in pieces. The source must not use their memory again, because some are kept.
 * @param options `name`: of the file, for errors; `sampleSize`: the most people in the sample
 * @throws StartError when the text is no body of an import
 */
export async function readContents(
  body: AsyncIterable<Uint8Array>,
  { name, sampleSize }: { name: string; sampleSize: number },
): Promise<ImportContents> {
  const contents = new Contents(sampleSize);
  const recent = new RecentBytes();
  let organizations = 0;
  const record = (list: string, { start, end }: { start: number; end: number }) => {
    contents.count(list);
    if (list === 'humanUsers' && end - start <= maxRecordBytes)
      contents.person(parsed(recent.slice(start, end)));
  };
  const nothing = () => undefined;
  const scanner = new ImportScanner('body', {
    property: nothing,
    data: nothing,
    unknownList: nothing,
    record,
    organization: () => {
      organizations++;
    },
  });
  try {
    for await (const piece of body) {
      recent.add(piece);
      scanner.push(piece);
    }
    scanner.end();
  } catch (error) {
    if (error instanceof ScanError)
      throw new StartError(`${name} cannot be read as an import: ${error.message}`);
    throw error;
  }
  return contents.result(organizations);
}

/** The last bytes of a text: its last piece, and at least as much before it as a record has. */
class RecentBytes {
  #earlier: Uint8Array[] = [];
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** Bytes that were added in all. */
  #end = 0;

  add(bytes: Uint8Array): void {
    if (this.#bytes >= maxRecordBytes) {
      this.#earlier = this.#pieces;
      this.#pieces = [];
      this.#bytes = 0;
    }
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    this.#end += bytes.length;
  }

  /** @param start, end positions in the text */
  slice(start: number, end: number): Buffer {
    const parts: Uint8Array[] = [];
    let at = this.#end;
    for (const pieces of [this.#pieces, this.#earlier]) {
      for (let index = pieces.length - 1; index >= 0 && at > start; index--) {
        const bytes = pieces[index] as Uint8Array;
        at -= bytes.length;
        if (at < end) parts.push(bytes.subarray(Math.max(0, start - at), end - at));
      }
    }
    return Buffer.concat(parts.reverse());
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // The dry run says what is wrong with it.
    return undefined;
  }
}

class Contents {
  readonly #lists = new Map<string, number>();
  readonly #hashes = new Map<string, number>();
  readonly #sampleSize: number;
  readonly #sample: PasswordKind[] = [];
  #unusableHashes = 0;
  #withoutPassword = 0;
  #withoutPasswordAndMail = 0;
  #withSecondFactor = 0;

  constructor(sampleSize: number) {
    this.#sampleSize = sampleSize;
  }

  count(list: string): void {
    this.#lists.set(list, (this.#lists.get(list) ?? 0) + 1);
  }

  person(given: unknown): void {
    const record = withCamelCaseKeys(given);
    const user = isJsonObject(record) ? record['user'] : undefined;
    if (!isJsonObject(record) || !isJsonObject(user)) return;
    const hashed = textAt(user, 'hashedPassword', 'value');
    const isClear = hashed !== undefined && clearPasswordIn(hashed) !== undefined;
    const hash = isClear ? undefined : hashed;
    const password: PasswordKind =
      hash !== undefined ? 'hash' : isClear || textAt(user, 'password') !== undefined ? 'clear' : 'none';
    if (this.#sample.length < this.#sampleSize) this.#sample.push(password);
    if (hash !== undefined && typeof readPasswordHash(hash) !== 'object') this.#unusableHashes++;
    else if (hash !== undefined) this.#hash(kindOf(hash));
    else if (password === 'clear') this.#hash(clearText);
    else if (isActive(user)) {
      this.#withoutPassword++;
      if (!hasVerifiedAddress(user)) this.#withoutPasswordAndMail++;
    }
    if (textAt(user, 'otpCode') !== undefined) this.#withSecondFactor++;
  }

  #hash(kind: string): void {
    this.#hashes.set(kind, (this.#hashes.get(kind) ?? 0) + 1);
  }

  result(organizations: number): ImportContents {
    return {
      organizations,
      lists: this.#lists,
      hashes: this.#hashes,
      unusableHashes: this.#unusableHashes,
      withoutPassword: this.#withoutPassword,
      withoutPasswordAndMail: this.#withoutPasswordAndMail,
      withSecondFactor: this.#withSecondFactor,
      sample: this.#sample,
    };
  }
}

/** The beginning of a hash, which names its form. */
function kindOf(hash: string): string {
  return /^(?:\$[\w.-]+\$(?:2[aby]\$)?|\{[\w.@-]+\}|[\w:]+\$|\d\|)/.exec(hash)?.[0] ?? 'other';
}

/** People who are inactive get no link. */
function isActive({ scim }: JsonObject): boolean {
  return !isJsonObject(scim) || scim['active'] !== false;
}

/** Whether a mail with a link may go to the person. Addresses of `scim` count before `email`. */
function hasVerifiedAddress({ email, scim }: JsonObject): boolean {
  const emails =
    isJsonObject(scim) && Array.isArray(scim['emails']) ? scim['emails'].filter(isJsonObject) : [];
  if (emails.length > 0) {
    const primary = emails.find((one) => one['primary'] === true) ?? emails[0];
    return primary?.['verified'] !== false;
  }
  return isJsonObject(email) && textAt(email, 'email') !== undefined && email['isEmailVerified'] === true;
}

/** A text that is not empty. */
function textAt(object: JsonObject, ...keys: readonly string[]): string | undefined {
  const value = keys.reduce<unknown>((part, key) => (isJsonObject(part) ? part[key] : undefined), object);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
