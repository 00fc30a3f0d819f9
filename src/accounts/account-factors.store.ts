import type { Collection } from 'mongodb';
import { type OwnedFactors, receivesMail } from '#src/directory/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { AccountDocument } from './account-document.js';

/** Tells what people have to sign in with. */
export interface AccountFactors {
  /** Returns the active ones of these users of any organization, with the kinds of what they sign in with. */
  activeAmong(ids: readonly string[], transaction?: Transaction): Promise<ActivePerson[]>;
  /** Counts the active people of an organization by the factors that they have. It reads every user of the organization. */
  countFactors(orgId: string): Promise<FactorCount[]>;
}

/** How many active people have these factors and no other. */
export interface FactorCount extends Pick<OwnedFactors, 'password' | 'totp' | 'mail'> {
  readonly people: number;
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

export function createAccountFactors(users: Collection<AccountDocument>): AccountFactors {
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
    async countFactors(orgId) {
      const factors = {
        password: { $gt: ['$password', null] },
        totp: { $gt: ['$totp', null] },
        mail: receivesMailNow,
      };
      const found = await users
        .aggregate<{ _id: Omit<FactorCount, 'people'>; people: number }>([
          { $match: { orgId, active: true } },
          { $group: { _id: factors, people: { $sum: 1 } } },
        ])
        .toArray();
      return found.map(({ _id, people }) => ({ ..._id, people }));
    },
  };
}
