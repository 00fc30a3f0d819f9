import type { Collection } from 'mongodb';
import {
  type FactorClass,
  factorClassOf,
  type OwnedFactors,
  receivesMail,
  type UserFactors,
} from '#src/directory/index.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { AccountDocument } from './account-document.js';

/** Tells what people have to sign in with. */
export interface AccountFactors {
  /** Returns the active ones of these users of any organization, with the kinds of what they sign in with. */
  activeAmong(ids: readonly string[], transaction?: Transaction): Promise<ActivePerson[]>;
  /** Counts the users of an organization by their classes of factors. It reads every user, however long that takes. */
  countFactors(orgId: string, transaction?: Transaction): Promise<ReadonlyMap<FactorClass, number>>;
  /** Returns what these users of the organization have to sign in with. */
  factorsOf(orgId: string, ids: readonly string[]): Promise<PersonFactors[]>;
  /** Returns what users have to sign in with, in the order of their identifiers, after the given one. */
  factorsPage(orgId: string, query: { after?: string | undefined; limit: number }): Promise<PersonFactors[]>;
}

/** What a user has to sign in with. Links to other identity providers stand elsewhere. */
interface PersonFactors extends UserFactors {
  readonly id: string;
  readonly userName: string;
}

/** Whether a document has a primary address that nobody called unproved: see `receivesMail`. */
const receivesMailNow = {
  $anyElementTrue: {
    $map: {
      input: '$emails',
      in: { $and: [{ $eq: ['$$this.primary', true] }, { $ne: ['$$this.verified', false] }] },
    },
  },
};

/** An active person, and the kinds of factors that the person has. */
export interface ActivePerson extends Pick<OwnedFactors, 'password' | 'totp' | 'mail'> {
  readonly id: string;
  readonly orgId: string;
}

/** The fields of a document that tell its factors. */
export const factorFields = {
  active: 1,
  emails: 1,
  'password.changed': 1,
  'totp.enrolled': 1,
  'passkeys.count': 1,
} as const;

type FactorDocument = Pick<AccountDocument, 'active' | 'emails' | 'password' | 'totp' | 'passkeys'>;

/** Returns what a document says of the factors of its user. */
export function factorsIn({ active, emails, password, totp, passkeys }: FactorDocument): UserFactors {
  return {
    active,
    password: password !== undefined,
    totp: totp !== undefined,
    passkey: passkeys !== undefined,
    mail: receivesMail({ emails }),
  };
}

export function createAccountFactors(users: Collection<AccountDocument>): AccountFactors {
  const projection = { ...factorFields, userName: 1 } as const;
  const toPerson = (document: AccountDocument): PersonFactors => ({
    id: document._id,
    userName: document.userName,
    ...factorsIn(document),
  });
  return {
    async activeAmong(ids, session) {
      const options = {
        projection: { orgId: 1, emails: 1, 'password.changed': 1, 'totp.enrolled': 1 },
        ...(session && { session }),
      };
      const found = await users
        .find({ _id: { $in: [...ids] }, active: true }, options)
        .batchSize(ids.length + 1)
        .toArray();
      return found.map(({ _id: id, orgId, emails, password, totp }) => ({
        id,
        orgId,
        password: password !== undefined,
        totp: totp !== undefined,
        mail: receivesMail({ emails }),
      }));
    },
    async countFactors(orgId, session) {
      const has = (field: string) => ({ $gt: [field, null] });
      const factors = {
        active: '$active',
        password: has('$password'),
        totp: has('$totp'),
        passkey: has('$passkeys'),
        mail: receivesMailNow,
      };
      const found = await users
        .aggregate<{ _id: UserFactors; people: number }>(
          [{ $match: { orgId } }, { $group: { _id: factors, people: { $sum: 1 } } }],
          { maxTimeMS: 0, ...(session && { session }) },
        )
        .toArray();
      const counts = new Map<FactorClass, number>();
      for (const { _id, people } of found) {
        const name = factorClassOf(_id);
        counts.set(name, (counts.get(name) ?? 0) + people);
      }
      return counts;
    },
    async factorsOf(orgId, ids) {
      if (ids.length === 0) return [];
      const found = await users
        .find({ _id: { $in: [...ids] }, orgId }, { projection })
        .batchSize(ids.length + 1)
        .toArray();
      return found.map(toPerson);
    },
    async factorsPage(orgId, { after, limit }) {
      const filter = { orgId, ...(after !== undefined && { _id: { $gt: after } }) };
      const found = await hinted(byId, (options) =>
        users
          .find(filter, { projection, ...options })
          .sort({ _id: 1 })
          .limit(limit)
          .batchSize(limit + 1)
          .toArray(),
      );
      return found.map(toPerson);
    },
  };
}
