import Type, { type Static } from 'typebox';
import { hashPartsSchema } from './hash-parts-schema.js';
import { targetNames } from './targets.js';

const path = Type.String({ minLength: 1, maxLength: 500 });
const word = Type.String({ maxLength: 500 });
const words = Type.Union([word, Type.Array(word, { minItems: 1, maxItems: 100 })]);

const from = Type.Union([path, Type.Array(path, { minItems: 1, maxItems: 50 })], {
  description:
    'The path of the value in a record of the source, such as profile.badge, or its parts: ["profile", "a.b"]. In a table it is the ' +
    'name of the column. A step into a list names its items: emails[].address has all of them, emails[0].address the first one, ' +
    'emails[is_primary=true].address those with this value, and emails[id=$primary_id].address those with the value that the record has at ' +
    'primary_id. A text that is JSON is entered like an object.',
});

const condition = Type.Object(
  {
    from,
    is: Type.Optional(words),
    isNot: Type.Optional(words),
    lasts: Type.Optional(
      Type.Boolean({
        description:
          'The value is the moment at which something ends, such as a ban. With true, the condition holds until then, and for a value that is no moment. With ' +
          'false, it holds from then on.',
      }),
    ),
    separator: Type.Optional(
      Type.String({ minLength: 1, maxLength: 5, description: 'What stands between two values at the path.' }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Holds if a value at the path is one of the words of is, and none is one of isNot. A word that begins with $ stands for the value at this ' +
      'path: $email. Without both, and without lasts, it holds if there is a value other than false, no and 0.',
  },
);

const entry = Type.Object(
  {
    from: Type.Optional(from),
    or: Type.Optional(
      Type.Array(from, {
        minItems: 1,
        maxItems: 10,
        description: 'Further paths. The first path with a value counts.',
      }),
    ),
    value: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'A constant, instead of a path: everybody gets it for whom the condition of when holds.',
      }),
    ),
    to: Type.Union(
      [
        Type.Enum(targetNames),
        Type.String({
          pattern: '^metadata:.{1,200}$',
          description:
            'Metadata of the user with this key. The caller of the import must be an owner of the instance then.',
        }),
      ],
      {
        description:
          'What the value becomes. Several attributes may have one target that takes one value if all but the last of them have when: the first ' +
          'that has a value counts.',
      },
    ),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 5,
        description: 'For targets that take several values: what stands between two of them.',
      }),
    ),
    values: Type.Optional(
      Type.Record(word, word, {
        maxProperties: 1_000,
        description:
          'Other words for single values. A value that is not listed stays, unless otherwise says more. An empty word leaves the value out.',
      }),
    ),
    otherwise: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The word for every value that values does not list. An empty one leaves such values out.',
      }),
    ),
    when: Type.Optional(
      Type.Union([condition, Type.Array(condition, { minItems: 1, maxItems: 10 })], {
        description: 'The attribute counts only for people for whom this condition, or all of these, hold.',
      }),
    ),
    type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description:
          'For emails, phoneNumbers, photos, addresses and other lists: work, home, mobile or another word of RFC 7643. The parts of an address with ' +
          'one type are one address.',
      }),
    ),
    verified: Type.Optional(
      Type.Union([Type.Boolean(), condition], {
        description:
          'For email, emails, phone and phoneNumbers: whether the address or number is known to be the person’s.',
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
    apostrophes: Type.Optional(
      Type.Enum(['keep', 'remove'], {
        description:
          'remove: an apostrophe at the beginning of a value is no part of it. Some exports put one before each text, so that no program takes it ' +
          'for a formula. Default: keep.',
      }),
    ),
    clearPasswords: Type.Optional(
      Type.Enum(['refuse', 'check', 'exempt'], {
        description:
          'refuse: a password in plain text is an error. check: the import checks it by the rules of the organization. exempt: the ' +
          'conversion hashes it, and no rule applies. Default: check.',
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
    description: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'What the mapping is for. It changes nothing.' }),
    ),
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
export type MappingCondition = Static<typeof condition>;
export type MappingRules = NonNullable<MappingFile['rules']>;
