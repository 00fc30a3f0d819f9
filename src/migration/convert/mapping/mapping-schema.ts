import Type, { type Static } from 'typebox';
import { hashPartsSchema } from './hash-parts.js';
import { targetNames } from './targets.js';

const path = Type.String({ minLength: 1, maxLength: 500 });

const entry = Type.Object(
  {
    from: Type.Union([path, Type.Array(path, { minItems: 1, maxItems: 50 })], {
      description:
        'The path of the value in a record of the source, such as profile.badge, or its parts: ["profile", "a.b"]. In a table it is the ' +
        'name of the column.',
    }),
    to: Type.Union(
      [
        Type.Enum(targetNames),
        Type.String({
          pattern: '^metadata:.{1,200}$',
          description:
            'Metadata of the user with this key. The caller of the import must be an owner of the instance then.',
        }),
      ],
      { description: 'What the value becomes.' },
    ),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 5,
        description: 'For group and roles: what stands between two names.',
      }),
    ),
    values: Type.Optional(
      Type.Record(Type.String({ maxLength: 500 }), Type.String({ maxLength: 500 }), {
        maxProperties: 1_000,
        description:
          'Other words for single values. A value that is not listed stays. An empty word leaves the value out.',
      }),
    ),
  },
  { additionalProperties: false },
);

const rules = Type.Object(
  {
    userName: Type.Optional(
      Type.Enum(['given', 'email'], {
        description: 'email: the address is the user name, if there is one. Default: given.',
      }),
    ),
    missingEmail: Type.Optional(
      Type.Enum(['allow', 'refuse'], {
        description: 'refuse: a user without an address is an error. Default: allow.',
      }),
    ),
    names: Type.Optional(
      Type.Enum(['given', 'split', 'address'], {
        description:
          'How a first and a last name are made that the source does not have. split: of the full name. address: of the full name, the nickname, or the ' +
          'address before its @. given: not at all. The report says of how many people. Default: split where the source has a full name.',
      }),
    ),
    missingName: Type.Optional(
      Type.Enum(['allow', 'refuse'], {
        description: 'refuse: a user without a first or last name is an error. Default: allow.',
      }),
    ),
    unverifiedEmail: Type.Optional(
      Type.Enum(['keep', 'trust', 'drop'], {
        description:
          'What happens to an address that the source does not call verified. Default: keep it as unverified.',
      }),
    ),
    secondFactors: Type.Optional(
      Type.Enum(['drop', 'refuse', 'link'], {
        description:
          'What happens to people whom the source asks for a second factor that sign-ins here do not ask for. drop: they sign in with the password alone, ' +
          'and the conversion counts them. refuse: such a person is an error. link: the password is left out too, so that the person sets a new ' +
          'one by a link to the verified address; without such an address it is an error. Default: drop.',
      }),
    ),
    clearPasswords: Type.Optional(
      Type.Enum(['refuse', 'check', 'exempt'], {
        description:
          'refuse: a password in plain text is an error. check: the import checks it by the rules of the organization. exempt: the ' +
          'conversion hashes it, and no rule applies. Default: refuse.',
      }),
    ),
    unreadableHashes: Type.Optional(
      Type.Enum(['refuse', 'drop'], {
        description:
          'drop: a password hash that Muster cannot read is left out and counted, and the person is kept. Default: refuse.',
      }),
    ),
    withoutCredentials: Type.Optional(
      Type.Enum(['refuse', 'allow'], {
        description:
          'What happens to an active person with neither a password nor a verified address. The body of the import then says the same. ' +
          'Default: refuse, and allow where unreadableHashes is drop.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A step has at most one `*`, and the first one begins with another character, so that no path accepts everything. */
export const acceptedPathPattern = '^[^*.]+(\\*[^*.]*)?(\\.[^*.]*(\\*[^*.]*)?)*$';
const acceptedPath = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: acceptedPathPattern,
});

/** The file of `muster convert --map`. It is published as docs/mapping.schema.json. */
export const mappingSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500 })),
    attributes: Type.Optional(Type.Array(entry, { maxItems: 500 })),
    passwordHash: Type.Optional(hashPartsSchema),
    rules: Type.Optional(rules),
    acceptedLosses: Type.Optional(
      Type.Array(acceptedPath, {
        maxItems: 1_000,
        description:
          'Paths of values that may reach nothing, as the conversion names them: "notBefore". A * stands for any text within one step: ' +
          '"attributes.*". --strict then fails only for other losses.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type MappingFile = Static<typeof mappingSchema>;
export type MappingEntry = NonNullable<MappingFile['attributes']>[number];
export type MappingRules = NonNullable<MappingFile['rules']>;
