import Type, { type Static } from 'typebox';
import { mostPartCharacters } from '#src/keys/password-hashes/hash-of-parts.js';

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
    digest: Type.Optional(part),
    hashEncoding: Type.Optional(Type.Enum(['hex', 'base64'])),
    salt: Type.Optional(part),
    saltEncoding: Type.Optional(Type.Enum(['text', 'hex', 'base64'])),
    order: Type.Optional(Type.Enum(['before', 'after'])),
    iterations: Type.Optional(part),
    memory: Type.Optional(part),
    blockSize: Type.Optional(part),
    parallelism: Type.Optional(part),
    separator: Type.Optional(part),
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
      'The parts of a password hash that the source keeps apart (/docs/password-hashes). Each is a constant, or { "from": "salt" }. ' +
      'Without algorithm, hash is a whole hash.',
  },
);

export type HashPartsFile = Static<typeof hashPartsSchema>;
export type HashPart = HashPartsFile['hash'];
