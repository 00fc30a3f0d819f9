import { pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Span } from '../credentials/expiring.js';
import type { PersonalAccessToken } from './service-user.js';

/** Stores the personal access tokens of service users. MongoDB deletes them when they have expired. */
export interface PersonalAccessTokensStore {
  /** Finds a token in any organization. The caller presents only the token. */
  findById(id: string): Promise<PersonalAccessToken | undefined>;
  /** Returns the tokens of a service user in the order of their identifiers, after the given one. */
  page(
    orgId: string,
    query: { userId: string; after?: string; limit: number },
  ): Promise<PersonalAccessToken[]>;
  /** Tokens that expire within the span, in one organization or in all of them. The first to expire comes first. */
  expiring(orgId: string | undefined, span: Span & { limit: number }): Promise<PersonalAccessToken[]>;
  /** Returns the number of tokens of the organization's service users. */
  count(orgId: string): Promise<number>;
  /** Returns the number of tokens of a service user that have not expired. */
  countOf(orgId: string, of: { userId: string; now: Date }, transaction: Transaction): Promise<number>;
  insert(orgId: string, token: PersonalAccessToken, transaction: Transaction): Promise<void>;
  remove(orgId: string, target: { id: string; userId: string }, transaction: Transaction): Promise<boolean>;
  /** Removes every token of the service user. Returns their identifiers. */
  removeAll(orgId: string, userId: string, transaction: Transaction): Promise<string[]>;
}

type TokenDocument = Omit<PersonalAccessToken, 'id'> & { _id: string };

export const personalAccessTokenIndexes: CollectionIndexes = {
  collection: 'personalAccessTokens',
  indexes: [{ key: { orgId: 1, userId: 1, _id: 1 } }, { key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createPersonalAccessTokensStore(mongo: Mongo): PersonalAccessTokensStore {
  const tokens = mongo.collection<TokenDocument>('personalAccessTokens');
  return {
    async findById(id) {
      const document = await tokens.findOne({ _id: id });
      return document === null ? undefined : toToken(document);
    },
    async page(orgId, { userId, after, limit }) {
      const documents = await pageById(tokens, { orgId, userId }, { after, limit });
      return documents.map(toToken);
    },
    async expiring(orgId, { from, until, limit }) {
      const filter = { ...(orgId !== undefined && { orgId }), expires: { $gte: from, $lt: until } };
      return (await tokens.find(filter).sort({ expires: 1 }).limit(limit).toArray()).map(toToken);
    },
    count: (orgId) => tokens.countDocuments({ orgId }),
    countOf: (orgId, { userId, now }, session) =>
      tokens.countDocuments({ orgId, userId, expires: { $gt: now } }, { session }),
    async insert(orgId, { id, ...token }, transaction) {
      await tokens.insertOne({ _id: id, ...token, orgId }, { session: transaction });
    },
    async remove(orgId, { id, userId }, transaction) {
      return (
        (await tokens.deleteOne({ _id: id, orgId, userId }, { session: transaction })).deletedCount === 1
      );
    },
    async removeAll(orgId, userId, transaction) {
      const ids = await tokens
        .find({ orgId, userId }, { session: transaction, projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray();
      await tokens.deleteMany({ orgId, userId }, { session: transaction });
      return ids;
    },
  };
}

function toToken({ _id, ...fields }: TokenDocument): PersonalAccessToken {
  return { id: _id, ...fields };
}
