import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { numberedId, numberedIdsOf } from './numbered-ids.js';

/** An organization of the file. */
export interface ImportOrganization {
  /** Its index in the file. */
  readonly index: number;
  /** The identifier in the file; undefined if that is no string. */
  readonly orgId?: string;
  readonly org?: unknown;
  /** The line of its first byte, from 1, and the place of that byte. */
  readonly line?: number;
  readonly position?: number;
  /** The keys of its lists that this form of import does not have: all that 16 KiB hold. */
  readonly leftOut?: readonly string[];
  /** The number of such lists that `leftOut` has no room for. */
  readonly moreLeftOut?: number;
  /** The paths of its other values, and of values before it, that the import has no use for: at most 100. */
  readonly ignored?: readonly string[];
  /** Whether its records can be imported. Absent until its part has ended. */
  readonly imported?: boolean;
}

/** The organizations of imports, and whether each of them was imported. */
export interface ImportOrganizationsStore {
  insert(
    stagingId: string,
    organizations: readonly ImportOrganization[],
    expires: Date,
    transaction?: Transaction,
  ): Promise<void>;
  /** Organizations in the order of the file, from the index `from` on. */
  range(stagingId: string, indexes: { from: number; count: number }): Promise<ImportOrganization[]>;
  /** Records which organizations were imported, by index. */
  mark(stagingId: string, imported: ReadonlyMap<number, boolean>, transaction: Transaction): Promise<void>;
  /** Removes the organizations of a text that belongs to no import. */
  remove(stagingId: string): Promise<void>;
}

interface OrganizationDocument extends Omit<ImportOrganization, 'index' | 'org'> {
  _id: string;
  /** `org` as JSON. A document of the store could not have each of its keys: none may contain the character U+0000. */
  orgText?: string;
  expires: Date;
}

export const importOrganizationIndexes: CollectionIndexes = {
  collection: 'importOrganizations',
  indexes: [{ key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createImportOrganizationsStore(mongo: Mongo): ImportOrganizationsStore {
  const orgs = mongo.collection<OrganizationDocument>('importOrganizations');
  return {
    async insert(stagingId, organizations, expires, transaction) {
      const options = transaction === undefined ? {} : { session: transaction };
      const documents = organizations.map(({ index, org, ...fields }) => ({
        _id: numberedId(stagingId, index),
        ...fields,
        ...(org !== undefined && { orgText: JSON.stringify(org) }),
        expires,
      }));
      if (documents.length > 0) await orgs.insertMany(documents, options);
    },
    async range(stagingId, { from, count }) {
      const found = await orgs
        .find({ _id: { $gte: numberedId(stagingId, from), $lt: numberedId(stagingId, from + count) } })
        .sort({ _id: 1 })
        .toArray();
      return found.map(({ _id, expires: _expires, orgText, ...fields }) => ({
        index: Number(_id.slice(stagingId.length + 1)),
        ...fields,
        ...(orgText !== undefined && { org: JSON.parse(orgText) as unknown }),
      }));
    },
    async mark(stagingId, imported, transaction) {
      for (const value of [true, false]) {
        const ids = [...imported].filter(([, is]) => is === value).map(([at]) => numberedId(stagingId, at));
        if (ids.length === 0) continue;
        const options = { session: transaction };
        await orgs.updateMany({ _id: { $in: ids } }, { $set: { imported: value } }, options);
      }
    },
    async remove(stagingId) {
      await orgs.deleteMany({ _id: numberedIdsOf(stagingId) });
    },
  };
}
