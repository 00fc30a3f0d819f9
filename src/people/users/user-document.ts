import type {
  ImportedCredentials,
  PasskeysMark,
  PasswordCredential,
  TotpCredential,
} from '#src/accounts/index.js';
import { type SearchKeys, searchKeys, type User } from '#src/directory/index.js';
import type { SortPosition } from '#src/platform/mongo/read-sorted.js';

/** A user as it is stored, with its credentials and its search keys. */
export interface UserDocument extends Omit<User, 'id'> {
  _id: string;
  schemaVersion: 1;
  search: SearchKeys;
  password?: PasswordCredential;
  /** The second factor. The accounts store writes it. */
  totp?: TotpCredential;
  /** That the user has passkeys. The accounts store writes it. */
  passkeys?: PasskeysMark;
  /** When a sign-in asked the person to add a passkey. The accounts store writes it. */
  passkeyOffered?: Date;
  /** Only imports and migration hooks write it. */
  importedCredentials?: ImportedCredentials;
  /** Number of locks that transactions took. */
  locked?: number;
}

/** The projection that reads the fields of a {@link User}. */
export const withoutSecrets = {
  password: 0,
  totp: 0,
  passkeys: 0,
  passkeyOffered: 0,
  importedCredentials: 0,
  search: 0,
  locked: 0,
  schemaVersion: 0,
} as const;

/** The projection that reads the fields of a {@link User}, and the field of a sort, which {@link positionOf} needs. */
export function userFields(sortField: string): Record<string, 0> {
  // A projection either includes or excludes fields.
  const { search, ...others } = withoutSecrets;
  return sortField.startsWith('search.') ? others : { ...others, search };
}

/** The position of a document in a list that is sorted by the field. */
export function positionOf(document: Partial<UserDocument> & { _id: string }, field: string): SortPosition {
  const value = field
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
  const isSortable = typeof value === 'string' || value instanceof Date;
  return { value: isSortable ? value : null, id: document._id };
}

type OptionalField = { [Name in keyof User]-?: object extends Pick<User, Name> ? Name : never }[keyof User];

/** Fields that a document lacks if the user has no value. A missing one is a type error. */
export const optionalFields = Object.keys({
  externalId: true,
  clientExternalIds: true,
  externalIdUnique: true,
  displayNameGiven: true,
  preferredLanguageGiven: true,
  nickName: true,
  profileUrl: true,
  website: true,
  birthdate: true,
  gender: true,
  title: true,
  employeeNumber: true,
  costCenter: true,
  organization: true,
  division: true,
  department: true,
  manager: true,
  userType: true,
  locale: true,
  timezone: true,
  phoneNumbers: true,
  ims: true,
  addresses: true,
  photos: true,
  roles: true,
  entitlements: true,
  extensions: true,
  imported: true,
  loginNamesSince: true,
} satisfies Record<OptionalField, true>) as OptionalField[];

export function toDocument(orgId: string, user: User, password?: PasswordCredential): UserDocument {
  const { id, ...fields } = user;
  return {
    _id: id,
    ...fields,
    orgId,
    schemaVersion: 1,
    search: searchKeys(user),
    ...(password && { password }),
  };
}

/** Returns the user of a document. It ignores all other fields. */
export function toUser(document: Partial<UserDocument> & { _id: string }): User {
  const {
    _id,
    search: _search,
    schemaVersion: _schemaVersion,
    password: _password,
    totp: _totp,
    passkeys: _passkeys,
    passkeyOffered: _passkeyOffered,
    importedCredentials: _imported,
    ...fields
  } = document;
  return { id: _id, ...fields } as User;
}
