import type { Collection } from 'mongodb';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { Account } from './account.js';
import { type AccountDocument, accountProjection, toAccount } from './account-document.js';

/** The credentials to read with the users. */
interface CredentialsWanted {
  readonly withPasswords: boolean;
  readonly withTotp: boolean;
}

/** Reads all accounts of an organization in batches, and estimates their number. */
export interface AccountBatches {
  /**
   * Yields all accounts of an organization in batches, in the order of their identifiers. It fetches the next batch
   * while the caller works. It reads only the wanted credentials.
   */
  all(orgId: string, wanted: CredentialsWanted): AsyncGenerator<Account[]>;
  /**
   * Yields the identifiers of all accounts of an organization in batches, in their order. It reads nothing else. It fetches the next
   * batch while the caller works.
   */
  ids(orgId: string): AsyncGenerator<string[]>;
  /** Returns the approximate number of users in all organizations together. */
  estimate(): Promise<number>;
}

/** The lengths of what {@link AccountBatches} reads. */
export interface ReadLengths {
  /** Users in a batch. A small batch is garbage while it is young. */
  readonly batch: number;
  /** Users that one cursor reads. A cursor then ends before the server times it out. */
  readonly cursor: number;
  /** Identifiers in a batch of {@link AccountBatches.ids}. */
  readonly identifiers: number;
}

const usualLengths: ReadLengths = { batch: 250, cursor: 20_000, identifiers: 5_000 };

/** Returns the part of the accounts store that reads whole organizations. */
export function createAccountBatches(
  users: Collection<AccountDocument>,
  lengths = usualLengths,
): AccountBatches {
  return {
    async *all(orgId, wanted) {
      let after: string | undefined;
      for (let count = lengths.cursor; count === lengths.cursor; ) {
        count = 0;
        for await (const batch of fetchAhead(users, lengths, { orgId, after, wanted })) {
          count += batch.length;
          after = batch.at(-1)?._id;
          yield batch.map(toAccount);
        }
      }
    },
    async *ids(orgId) {
      const page = async (after: string | undefined): Promise<string[]> => {
        const filter = { orgId, ...(after !== undefined && { _id: { $gt: after } }) };
        const found = await hinted(byId, (options) =>
          users
            .find(filter, { projection: { _id: 1 }, ...options })
            .sort({ _id: 1 })
            .limit(lengths.identifiers)
            .batchSize(lengths.identifiers)
            .toArray(),
        );
        return found.map(({ _id }) => _id);
      };
      for (let coming: Promise<string[]> | undefined = page(undefined); coming !== undefined; ) {
        const found: string[] = await coming;
        coming = found.length < lengths.identifiers ? undefined : page(found.at(-1));
        // If the caller stops, no code awaits this page. Its failure must not end the process.
        coming?.catch(() => undefined);
        if (found.length > 0) yield found;
      }
    },
    estimate: () => users.estimatedDocumentCount(),
  };
}

/** Yields the batches of one cursor. */
async function* fetchAhead(
  users: Collection<AccountDocument>,
  lengths: ReadLengths,
  { orgId, after, wanted }: { orgId: string; after: string | undefined; wanted: CredentialsWanted },
): AsyncGenerator<AccountDocument[]> {
  const projection = {
    ...accountProjection,
    importedCredentials: 0,
    passkeys: 0,
    passkeyOffered: 0,
    ...(!wanted.withPasswords && { password: 0 }),
    ...(!wanted.withTotp && { totp: 0 }),
  } as const;
  const { cursor, isSomethingThere } = await hinted(byId, async (options) => {
    const cursor = users
      .find({ orgId, ...(after !== undefined && { _id: { $gt: after } }) }, { projection, ...options })
      .sort({ _id: 1 })
      .limit(lengths.cursor)
      .batchSize(lengths.batch);
    return { cursor, isSomethingThere: await cursor.hasNext() };
  });
  try {
    let coming = Promise.resolve(isSomethingThere);
    while (await coming) {
      const batch = cursor.readBufferedDocuments();
      coming = cursor.hasNext();
      coming.catch(() => undefined);
      yield batch;
    }
  } finally {
    await cursor.close();
  }
}
