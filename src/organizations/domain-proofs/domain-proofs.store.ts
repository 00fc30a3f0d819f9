import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { DomainProof } from './domain-proof.js';

/** Stores the proofs of domains, one for each domain of an organization. */
export interface DomainProofsStore {
  find(orgId: string, domainName: string): Promise<DomainProof | undefined>;
  /** Returns the proof that is stored: this one, unless the domain has one. */
  begin(orgId: string, proof: DomainProof, transaction: Transaction): Promise<DomainProof>;
  /** Notes a question to the resolver, if the last one was before this time. Returns whether it did. */
  noteCheck(orgId: string, check: { domainName: string; now: Date; lastBefore: Date }): Promise<boolean>;
  /** Writes what a check found, if the proof still has this token. */
  write(orgId: string, proof: DomainProof, transaction?: Transaction): Promise<void>;
  remove(orgId: string, domainName: string, transaction?: Transaction): Promise<void>;
  /** Returns proofs of all organizations whose record is looked for again, the most urgent first. */
  due(now: Date, limit: number): Promise<DomainProof[]>;
}

type ProofDocument = DomainProof & { _id: string; schemaVersion: 1 };

export const domainProofIndexes: CollectionIndexes = {
  collection: 'domainProofs',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { nextCheck: 1 }, partialFilterExpression: { nextCheck: { $exists: true } } },
  ],
};

/** Neither part contains a space. */
const keyOf = (orgId: string, domainName: string) => `${orgId} ${domainName}`;

export function createDomainProofsStore(mongo: Mongo): DomainProofsStore {
  const proofs = mongo.collection<ProofDocument>('domainProofs');
  const find = async (orgId: string, domainName: string, session?: Transaction) => {
    const found = await proofs.findOne({ _id: keyOf(orgId, domainName), orgId }, session && { session });
    return found === null ? undefined : toProof(found);
  };
  return {
    find: (orgId, domainName) => find(orgId, domainName),
    async begin(orgId, proof, session) {
      const { _id, ...fields } = toDocument(orgId, proof);
      await proofs.updateOne({ _id, orgId }, { $setOnInsert: fields }, { upsert: true, session });
      return (await find(orgId, proof.domainName, session)) ?? proof;
    },
    async noteCheck(orgId, { domainName, now, lastBefore }) {
      const filter = {
        ...{ _id: keyOf(orgId, domainName), orgId },
        $or: [{ checked: { $exists: false } }, { checked: { $lt: lastBefore } }],
      };
      return (await proofs.updateOne(filter, { $set: { checked: now } })).matchedCount === 1;
    },
    async write(orgId, proof, session) {
      const { _id, ...document } = toDocument(orgId, proof);
      await proofs.replaceOne({ _id, orgId, token: proof.token }, document, session && { session });
    },
    async remove(orgId, domainName, session) {
      await proofs.deleteOne({ _id: keyOf(orgId, domainName), orgId }, session && { session });
    },
    async due(now, limit) {
      const found = await proofs
        .find({ nextCheck: { $lte: now } })
        .sort({ nextCheck: 1 })
        .limit(limit)
        .toArray();
      return found.map(toProof);
    },
  };
}

function toDocument(orgId: string, proof: DomainProof): ProofDocument {
  return { ...proof, _id: keyOf(orgId, proof.domainName), orgId, schemaVersion: 1 };
}

function toProof({ _id, schemaVersion: _, ...proof }: ProofDocument): DomainProof {
  return proof;
}
