import type { Filter } from 'mongodb';
import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo.js';
import { type SearchKeys, searchKeys } from './search-keys.js';
import type { TotpCredential } from './totp.js';
import type { User } from './user.js';
import { hintFor } from './user-query-hint.js';

/** The password of a user as it is kept. */
export interface PasswordCredential {
  /** Encoded argon2id or bcrypt hash. */
  readonly hash: string;
  readonly changed: Date;
  /** Set until the user has chosen another: the next login asks for it. */
  readonly changeRequired?: true;
}

/** A user to be added, with the password hash where there is one. */
export interface NewUser {
  readonly user: User;
  readonly password?: PasswordCredential;
}

/** A page of users in the order of `sort`; the identifier breaks ties. */
export interface UserPageQuery {
  /** Condition on the document, as the filter compiler makes it. */
  readonly filter?: Record<string, unknown>;
  readonly sort: { readonly field: string; readonly direction: 1 | -1 };
  readonly skip: number;
  readonly limit: number;
  /** Continue after this place instead of skipping. */
  readonly after?: UserPosition;
}

/** A place in a sorted list: the sort value (null where absent) and the identifier. */
export interface UserPosition {
  readonly value: string | Date | null;
  readonly id: string;
}

/** Users of one organization. Every method takes the organization first; none reaches another's users. */
export interface UsersStore {
  find(orgId: string, id: string): Promise<User | undefined>;
  /** The organization of a user, whichever it is: for roles, which name their holder alone. */
  organizationOf(id: string): Promise<string | undefined>;
  /** Which of these folded userNames are taken. */
  takenUserNames(orgId: string, keys: readonly string[]): Promise<Set<string>>;
  /** @throws the engine's duplicate-key error when an id or a userName is taken */
  insert(orgId: string, added: readonly NewUser[], transaction: Transaction): Promise<void>;
  /** Writes the user where its version is still `expectedVersion`; whether it was. */
  replace(
    orgId: string,
    change: { user: User; expectedVersion: number; password?: PasswordCredential | null },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes the user where its version is still `expectedVersion`; whether it was. */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  page(orgId: string, query: UserPageQuery): Promise<{ users: User[]; last?: UserPosition }>;
  count(orgId: string, filter?: Record<string, unknown>): Promise<number>;
}

interface UserDocument extends Omit<User, 'id'> {
  _id: string;
  schemaVersion: 1;
  search: SearchKeys;
  password?: PasswordCredential;
  /** Second factor; written by the accounts store. */
  totp?: TotpCredential;
}

const present = (field: string) => ({ [field]: { $exists: true } });

/** Twins that are always there; each serves equality, a prefix and a sort (design: folded and reversed). */
const requiredKeys = ['userName', 'familyName', 'givenName', 'displayName', 'emails', 'preferredLanguage'];
/** Twins of attributes that many users lack: the index holds only those who have it. */
const optionalKeys = ['nickName', 'title', 'userType', 'phoneNumbers', 'emailsByType'];

const both = (key: string) => [`search.${key}`, `search.${key}Reversed`];

export const userIndexes: CollectionIndexes = {
  collection: 'users',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { orgId: 1, 'search.userName': 1 }, unique: true, name: 'userName' },
    { key: { orgId: 1, 'search.userNameReversed': 1 } },
    { key: { orgId: 1, created: 1, _id: 1 } },
    { key: { orgId: 1, lastModified: 1, _id: 1 } },
    { key: { orgId: 1, externalId: 1 }, partialFilterExpression: present('externalId') },
    { key: { orgId: 1, 'search.idReversed': 1 } },
    { key: { orgId: 1, 'search.primaryEmail': 1, _id: 1 } },
    // The one index over all organizations: somebody who signs in need not know theirs.
    { key: { 'search.loginNames': 1 } },
    ...requiredKeys
      .filter((key) => key !== 'userName')
      .flatMap(both)
      .map((field) => ({ key: { orgId: 1, [field]: 1 } })),
    ...optionalKeys
      .flatMap(both)
      .map((field) => ({ key: { orgId: 1, [field]: 1 }, partialFilterExpression: present(field) })),
  ],
};

const withoutSecrets = { password: 0, totp: 0, search: 0, schemaVersion: 0 } as const;

export function createUsersStore(mongo: Mongo): UsersStore {
  const users = mongo.collection<UserDocument>('users');
  return {
    async find(orgId, id) {
      const document = await users.findOne({ _id: id, orgId }, { projection: withoutSecrets });
      return document === null ? undefined : toUser(document);
    },

    async organizationOf(id) {
      return (await users.findOne({ _id: id }, { projection: { orgId: 1 } }))?.orgId;
    },

    async takenUserNames(orgId, keys) {
      const found = await users
        .find({ orgId, 'search.userName': { $in: [...keys] } }, { projection: { 'search.userName': 1 } })
        .toArray();
      return new Set(found.map((document) => document.search.userName));
    },

    async insert(orgId, added, transaction) {
      const documents = added.map(({ user, password }) => toDocument(orgId, user, password));
      const [first] = documents;
      if (first !== undefined && documents.length === 1)
        await users.insertOne(first, { session: transaction });
      else await users.insertMany(documents, { session: transaction, ordered: true });
    },

    async replace(orgId, { user, expectedVersion, password }, transaction) {
      const { password: _kept, _id, ...fields } = toDocument(orgId, user);
      const absent = optionalFields.filter((field) => !(field in fields));
      const unset: Record<string, ''> = Object.fromEntries(absent.map((field) => [field, '']));
      if (password === null) unset['password'] = '';
      const result = await users.updateOne(
        { _id, orgId, version: expectedVersion },
        {
          $set: { ...fields, ...(password && { password }) },
          ...(Object.keys(unset).length > 0 && { $unset: unset }),
        },
        { session: transaction },
      );
      return result.matchedCount === 1;
    },

    async remove(orgId, { id, expectedVersion }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      return (await users.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },

    async page(orgId, { filter, sort, skip, limit, after }) {
      const conditions = [filter, after && afterPosition(sort, after)].filter((c) => c !== undefined);
      const where = conditions.length === 0 ? { orgId } : { orgId, $and: conditions };
      const order =
        sort.field === '_id'
          ? { _id: sort.direction }
          : { [sort.field]: sort.direction, _id: sort.direction };
      const hint = hintFor(filter);
      const sortKey = sort.field.startsWith('search.') ? sort.field.slice('search.'.length) : undefined;
      const cursor = users
        .find(where as Filter<UserDocument>, {
          // A projection either names or leaves out: the sort twin is needed for the position of the last user.
          projection: sortKey === undefined ? withoutSecrets : { password: 0, totp: 0, schemaVersion: 0 },
          ...(hint && { hint }),
        })
        .sort(order as Record<string, 1 | -1>)
        .skip(skip)
        .limit(limit);
      const documents = await cursor.batchSize(limit + 1).toArray();
      const last = documents.at(-1);
      return {
        users: documents.map(toUser),
        ...(last && { last: { value: sortValue(last, sort.field), id: last._id } }),
      };
    },

    count: (orgId, filter) =>
      users.countDocuments({ orgId, ...(filter && { $and: [filter] }) } as Filter<UserDocument>),
  };
}

const optionalFields = [
  'externalId',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'locale',
  'timezone',
  'phoneNumbers',
  'ims',
  'addresses',
  'photos',
  'roles',
  'entitlements',
] as const satisfies readonly (keyof User)[];

function toDocument(orgId: string, user: User, password?: PasswordCredential): UserDocument {
  const { id, ...fields } = user;
  return {
    _id: id,
    ...fields,
    orgId,
    schemaVersion: 1,
    search: searchKeys(user, id),
    ...(password && { password }),
  };
}

function toUser(document: Partial<UserDocument> & { _id: string }): User {
  const {
    _id,
    search: _search,
    schemaVersion: _schemaVersion,
    password: _password,
    totp: _totp,
    ...fields
  } = document;
  return { id: _id, ...fields } as User;
}

function sortValue(document: Partial<UserDocument>, field: string): string | Date | null {
  if (field.startsWith('search.')) {
    return (
      (document.search as unknown as Record<string, string> | undefined)?.[field.slice('search.'.length)] ??
      null
    );
  }
  const value = (document as Record<string, unknown>)[field];
  return typeof value === 'string' || value instanceof Date ? value : null;
}

/** What comes after a position. Absent values sort before all others, as MongoDB orders them. */
function afterPosition(
  { field, direction }: UserPageQuery['sort'],
  { value, id }: UserPosition,
): Record<string, unknown> {
  const beyond = direction === 1 ? '$gt' : '$lt';
  if (field === '_id') return { _id: { [beyond]: id } };
  const tie = { [field]: value, _id: { [beyond]: id } };
  if (value === null) return direction === 1 ? { $or: [{ [field]: { $ne: null } }, tie] } : tie;
  const further = { [field]: { [beyond]: value } };
  return { $or: direction === 1 ? [further, tie] : [further, tie, { [field]: null }] };
}
