import type { Filter } from 'mongodb';
import { type CollectionIndexes, type Mongo, queryLimitMs, type Transaction } from '#src/platform/mongo.js';
import { type NarrowCondition, narrowCondition } from './narrow-condition.js';
import { foldCase, type SearchKeys, searchKeys } from './search-keys.js';
import type { TotpCredential } from './totp.js';
import type { User } from './user.js';
import { createUserLookUp } from './user-look-up.store.js';

/** The password of a user as it is kept. */
export interface PasswordCredential {
  /** Encoded argon2id or bcrypt hash. */
  readonly hash: string;
  readonly changed: Date;
  /** Set until the user has chosen another: the next login asks for it. */
  readonly changeRequired?: true;
}

/** A user to be added, with the credentials where there are some. */
export interface NewUser {
  readonly user: User;
  readonly password?: PasswordCredential;
  readonly totp?: TotpCredential;
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
  /** The organizations of those of these users that are there, by user. */
  organizationsOf(ids: readonly string[]): Promise<Map<string, string>>;
  /** Which of these folded userNames are taken. */
  takenUserNames(orgId: string, keys: readonly string[]): Promise<Set<string>>;
  /** @throws the engine's duplicate-key error when an id or a userName is taken */
  insert(orgId: string, added: readonly NewUser[], transaction: Transaction): Promise<void>;
  /**
   * Whether the user is there. Asking is a write, so that of two transactions, one of which removes the user, one is
   * repeated: for what belongs to a user and is kept elsewhere.
   */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
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
  /** Times that somebody locked it. */
  locked?: number;
}

const present = (field: string) => ({ [field]: { $exists: true } });

/** Twins that are always there; each serves equality, a prefix and a sort (design: folded and reversed). */
const requiredKeys = ['userName', 'familyName', 'givenName', 'displayName', 'emails', 'preferredLanguage'];
/** Twins of attributes that many users lack: the index holds only those who have it. */
const optionalKeys = ['nickName', 'title', 'userType', 'phoneNumbers', 'emailsByType'];

const both = (key: string) => [`search.${key}`, `search.${key}Reversed`];

/** Not unique and sorted by: the identifier, which breaks ties, is part of the index. */
const sortedFields = new Set(['search.familyName', 'search.givenName']);

/** The index that serves a condition on the field; sorting by it too. */
function indexKey(field: string): Record<string, 1> {
  return { orgId: 1, [field]: 1, ...(sortedFields.has(field) && { _id: 1 as const }) };
}

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
      .map((field) => ({ key: indexKey(field) })),
    ...optionalKeys
      .flatMap(both)
      .map((field) => ({ key: { orgId: 1, [field]: 1 }, partialFilterExpression: present(field) })),
  ],
};

const withoutSecrets = { password: 0, totp: 0, search: 0, locked: 0, schemaVersion: 0 } as const;

/** Above this many matches, reading in the order of the page until it is full is shorter than sorting them. */
const manyMatches = 1_000;

interface PageOrder extends Pick<UserPageQuery, 'sort' | 'skip' | 'limit'> {
  readonly hint?: Readonly<Record<string, 1>>;
}

export function createUsersStore(mongo: Mongo): UsersStore {
  const users = mongo.collection<UserDocument>('users');

  const findById = createUserLookUp(users, {
    field: '_id',
    read: ({ _id }) => _id,
    projection: withoutSecrets,
  });
  const findByUserName = createUserLookUp(users, {
    field: 'search.userName',
    read: ({ userName }) => foldCase(userName),
    projection: withoutSecrets,
  });

  function sortedPage(where: Filter<UserDocument>, { sort, skip, limit, hint }: PageOrder) {
    const { field, direction } = sort;
    // userNames have no ties, and an index of their own that holds nothing else.
    const unique = field === '_id' || field === 'search.userName';
    const order = unique ? { [field]: direction } : { [field]: direction, _id: direction };
    // A projection either names or leaves out: the sort twin is needed for the position of the last user.
    const projection = field.startsWith('search.')
      ? { password: 0, locked: 0, schemaVersion: 0 }
      : withoutSecrets;
    return users
      .find(where, { projection, maxTimeMS: queryLimitMs, ...(hint && { hint }) })
      .sort(order)
      .skip(skip)
      .limit(limit)
      .batchSize(limit + 1)
      .toArray();
  }

  /**
   * A page in the order of identifiers of likely few users. Asked for it at once some engines read the whole
   * organization in that order until the page is full, so what a page holds is fetched first and sorted here; where
   * there is more, the engine is told which index is the shorter way.
   */
  async function narrowPage(where: Filter<UserDocument>, narrow: NarrowCondition, page: PageOrder) {
    const { sort, skip, limit } = page;
    const byField = indexKey(narrow.field);
    if (skip === 0) {
      const options = {
        projection: withoutSecrets,
        maxTimeMS: queryLimitMs,
        ...(!narrow.exact && { hint: byField }),
      };
      const found = await users
        .find(where, options)
        .limit(limit + 1)
        .batchSize(limit + 2)
        .toArray();
      if (found.length <= limit) return found.sort((a, b) => sort.direction * compareIds(a._id, b._id));
    }
    const counting = { limit: manyMatches, hint: byField, maxTimeMS: queryLimitMs };
    const many = (await users.countDocuments(where, counting)) === manyMatches;
    return sortedPage(where, { ...page, hint: many ? { orgId: 1, _id: 1 } : byField });
  }

  return {
    async find(orgId, id) {
      const document = await findById({ orgId, value: id });
      return document === undefined ? undefined : toUser(document);
    },

    async organizationOf(id) {
      return (await users.findOne({ _id: id }, { projection: { orgId: 1 } }))?.orgId;
    },

    async organizationsOf(ids) {
      if (ids.length === 0) return new Map();
      const filter = { _id: { $in: [...ids] } };
      const found = await users.find(filter, { projection: { orgId: 1 } }).toArray();
      return new Map(found.map(({ _id, orgId }) => [_id, orgId]));
    },

    async takenUserNames(orgId, keys) {
      const found = await users
        .find({ orgId, 'search.userName': { $in: [...keys] } }, { projection: { 'search.userName': 1 } })
        .toArray();
      return new Set(found.map((document) => document.search.userName));
    },

    async insert(orgId, added, transaction) {
      const documents = added.map(({ user, password, totp }) => ({
        ...toDocument(orgId, user, password),
        ...(totp && { totp }),
      }));
      const [first] = documents;
      if (first !== undefined && documents.length === 1)
        await users.insertOne(first, { session: transaction });
      else await users.insertMany(documents, { session: transaction, ordered: true });
    },

    async lock(orgId, id, transaction) {
      const filter = { _id: id, orgId };
      const { matchedCount } = await users.updateOne(
        filter,
        { $inc: { locked: 1 } },
        { session: transaction },
      );
      return matchedCount === 1;
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
      const userName = onlyUserName(filter);
      if (userName !== undefined && sort.field === '_id' && skip === 0 && after === undefined) {
        const document = await findByUserName({ orgId, value: userName });
        return document === undefined
          ? { users: [] }
          : { users: [toUser(document)], last: { value: document._id, id: document._id } };
      }
      const conditions = [filter, after && afterPosition(sort, after)].filter((c) => c !== undefined);
      const where = (
        conditions.length === 0 ? { orgId } : { orgId, $and: conditions }
      ) as Filter<UserDocument>;
      const narrow = sort.field === '_id' ? narrowCondition(filter) : undefined;
      const documents =
        narrow === undefined
          ? await sortedPage(where, { sort, skip, limit })
          : await narrowPage(where, narrow, { sort, skip, limit });
      const last = documents.at(-1);
      return {
        users: documents.map(toUser),
        ...(last && { last: { value: sortValue(last, sort.field), id: last._id } }),
      };
    },

    count: (orgId, filter) =>
      users.countDocuments({ orgId, ...(filter && { $and: [filter] }) } as Filter<UserDocument>, {
        maxTimeMS: queryLimitMs,
      }),
  };
}

/** The folded userName that a filter asks for alone, as provisioning clients do before they create somebody. */
function onlyUserName(filter: Record<string, unknown> = {}): string | undefined {
  const { 'search.userName': userName, ...others } = filter;
  return typeof userName === 'string' && Object.keys(others).length === 0 ? userName : undefined;
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

/** The order of UTF-8 bytes, as the engine has it. */
function compareIds(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
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
