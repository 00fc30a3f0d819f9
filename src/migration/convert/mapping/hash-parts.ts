import Type, { type Static } from 'typebox';
import { type HashParts, hashOfParts, mostPartCharacters } from '#src/keys/password-hashes/hash-of-parts.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { SourceRecord } from '../reading/source-record.js';

const path = Type.String({ minLength: 1, maxLength: 500 });

/** A part of a hash: a constant, or a value of the source. */
const part = Type.Union([
  Type.String({ maxLength: mostPartCharacters }),
  Type.Number(),
  Type.Object(
    {
      from: Type.Union([path, Type.Array(path, { minItems: 1, maxItems: 50 })], {
        description: 'The path of the part in a record of the source, as in attributes.',
      }),
      values: Type.Optional(
        Type.Record(Type.String({ maxLength: 500 }), Type.String({ maxLength: 500 }), {
          maxProperties: 1_000,
        }),
      ),
    },
    { additionalProperties: false },
  ),
]);

/** `passwordHash` of a mapping: the parts of a password hash that the source keeps apart. */
export const hashPartsSchema = Type.Object(
  {
    hash: part,
    algorithm: Type.Optional(part),
    hashEncoding: Type.Optional(Type.Enum(['hex', 'base64'])),
    salt: Type.Optional(part),
    saltEncoding: Type.Optional(Type.Enum(['text', 'hex', 'base64'])),
    order: Type.Optional(Type.Enum(['before', 'after'])),
    iterations: Type.Optional(part),
    memory: Type.Optional(part),
    blockSize: Type.Optional(part),
    parallelism: Type.Optional(part),
    key: Type.Optional(part),
    pepper: Type.Optional(
      Type.Enum([
        'suffix',
        'prefix',
        ...['sha256', 'sha384', 'sha512'].flatMap((name) => [`hmac-${name}-base64`, `hmac-${name}-hex`]),
      ]),
    ),
  },
  {
    additionalProperties: false,
    description:
      'The parts of a password hash that the source keeps apart (docs/password-hashes.md). Each is a constant, or { "from": "salt" }. ' +
      'Without algorithm, hash is a whole hash.',
  },
);

type HashPartsFile = Static<typeof hashPartsSchema>;
type Part = NonNullable<HashPartsFile['salt']>;
type HashPath = string | string[];

/** Returns the parts with paths in lower case, for a source where the letter case of a path means nothing. */
export function withFoldedPaths(parts: HashPartsFile): HashPartsFile {
  const folded = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return one;
    const { from, ...others } = one as Exclude<Part, string | number>;
    const lower = typeof from === 'string' ? from.toLowerCase() : from.map((step) => step.toLowerCase());
    return { ...others, from: lower };
  };
  return Object.fromEntries(Object.entries(parts).map(([name, one]) => [name, folded(one)])) as HashPartsFile;
}

/**
 * Returns the record with the hash of the parts. A person without a hash stays as it is.
 */
export function withHashOfParts(
  record: HumanUserRecord,
  source: SourceRecord,
  file: HashPartsFile,
): HumanUserRecord {
  const text = (given: Part | undefined) => (given === undefined ? undefined : textOf(source, given));
  const number = (given: Part | undefined) => {
    const value = text(given);
    return value === undefined || value === '' ? undefined : Number(value);
  };
  const { hashEncoding, saltEncoding, order, pepper } = file;
  // Each is taken, also of a person without a hash, so that it is not told lost.
  const parts: HashParts = {
    ...{ hashEncoding, saltEncoding, order, pepper },
    hash: text(file.hash) ?? '',
    algorithm: text(file.algorithm) ?? '',
    salt: text(file.salt),
    key: text(file.key),
    iterations: number(file.iterations),
    memory: number(file.memory),
    blockSize: number(file.blockSize),
    parallelism: number(file.parallelism),
  };
  if (parts.hash === '') return record;
  // Parts that make no hash are read as an empty one, which the rules of the mapping refuse or leave out.
  return { ...record, user: { ...record.user, hashedPassword: { value: hashOfParts(parts) ?? '' } } };
}

/** The paths of the source that the parts name. */
export function pathsOfParts(parts: HashPartsFile | undefined): HashPath[] {
  return Object.values(parts ?? {}).flatMap((one) => (typeof one === 'object' ? [one.from] : []));
}

/** Where a value is. A name with dots may be the name of one column. */
export function stepsOfPart(from: HashPath, source: SourceRecord): readonly string[] {
  if (typeof from !== 'string') return from;
  return source.look(from) === undefined ? from.split('.') : [from];
}

function textOf(source: SourceRecord, part: Part): string | undefined {
  if (typeof part !== 'object') return String(part);
  const { from, values = {} } = part;
  const value = source.take(...stepsOfPart(from, source));
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  const text = String(value).trim();
  return Object.hasOwn(values, text) ? values[text] : text;
}
