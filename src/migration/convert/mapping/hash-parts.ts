import { hashText } from '#src/keys/password-hashes/clear-password.js';
import { type HashParts, hashOfParts } from '#src/keys/password-hashes/hash-of-parts.js';
import type { HashPart, HashPartsFile } from './hash-parts-schema.js';
import type { RecordReader } from './record-reader.js';
import type { GivenPath, SourcePath } from './source-path.js';

/** A part of a hash: a constant, or a path that was read. */
type ReadPart = string | { readonly path: SourcePath; readonly values: Readonly<Record<string, string>> };

/** `passwordHash` of a mapping whose paths were read. */
export interface MappedHash {
  readonly form: Pick<HashParts, 'hashEncoding' | 'saltEncoding' | 'order' | 'pepper'>;
  readonly parts: ReadonlyMap<string, ReadPart>;
}

/** Some exports put an apostrophe before those texts alone that a program would take for a formula. */
const guardedFormula = /^'[=+\-@\t\r]/;

/** Reads `passwordHash` of a mapping. @param pathOf reads a path in the letter case of the source */
export function readHashParts(file: HashPartsFile, pathOf: (from: GivenPath) => SourcePath): MappedHash {
  const { hashEncoding, saltEncoding, order, pepper, ...parts } = file;
  const read = (part: HashPart): ReadPart =>
    typeof part === 'object' ? { path: pathOf(part.from), values: part.values ?? {} } : String(part);
  return {
    form: { hashEncoding, saltEncoding, order, pepper },
    parts: new Map(Object.entries(parts).map(([name, part]) => [name, read(part)])),
  };
}

/** The paths of the source that the parts name. */
export function pathsOfParts(hash: MappedHash | undefined): SourcePath[] {
  return [...(hash?.parts.values() ?? [])].flatMap((part) => (typeof part === 'object' ? [part.path] : []));
}

/**
 * Returns the hash of the parts. Undefined for a person without one. Parts that make no hash are an empty one, which the rules of the mapping
 * refuse or leave out.
 */
export function hashInParts({ form, parts }: MappedHash, reader: RecordReader): string | undefined {
  const read = (name: string, textAt: (path: SourcePath) => string | undefined) => {
    const part = parts.get(name);
    if (typeof part !== 'object') return part;
    const given = textAt(part.path) ?? '';
    return Object.hasOwn(part.values, given) ? part.values[given] : given;
  };
  const text = (name: string) => read(name, (path) => reader.text(path));
  // No hash begins with an apostrophe. An export that puts one before each text has one before the hash, and then before the salt too.
  let areMarked = false;
  const hash = read('hash', (path) => {
    areMarked = reader.isMarked(reader.exactText(path, { isMarked: false }));
    return reader.exactText(path);
  });
  const exact = (name: string) =>
    read(name, (path) => {
      const given = reader.exactText(path, { isMarked: false });
      return areMarked || guardedFormula.test(given ?? '') ? reader.exactText(path) : given;
    });
  const number = (name: string) => {
    const value = text(name);
    return value === undefined || value === '' ? undefined : Number(value);
  };
  // Each is taken, also of a person without a hash, so that it is not told lost.
  const given = {
    ...form,
    hash: hashText(hash ?? ''),
    algorithm: text('algorithm') ?? '',
    digest: text('digest'),
    salt: isText(form.saltEncoding) ? exact('salt') : text('salt'),
    separator: text('separator'),
    key: exact('key'),
    iterations: number('iterations'),
    memory: number('memory'),
    blockSize: number('blockSize'),
    parallelism: number('parallelism'),
  };
  if (given.hash === '') return undefined;
  // Such a hash always has a salt. Without it, no password would fit.
  if (parts.has('salt') && (given.salt ?? '') === '' && alwaysSalted.test(given.algorithm)) return '';
  return hashOfParts(given) ?? '';
}

const alwaysSalted = /^(?:scrypt|firebase-scrypt|argon2|pbkdf2)/i;

function isText(encoding: HashParts['saltEncoding']): boolean {
  return (encoding ?? 'text') === 'text';
}
