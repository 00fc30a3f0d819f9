import type { Mongo } from '#src/platform/mongo/mongo.js';
import { batchReads, usualBatches } from '#src/platform/work/batcher.js';
import type { Account } from './account.js';
import { type AccountDocument, accountProjection, toAccount } from './account-document.js';
import type { PersonList, WebauthnCredential } from './person-lists/index.js';
import { type ListDocument, toList } from './person-lists/person-lists.store.js';

/** A person who has a passkey: the list that has it, and the account. */
export interface PasskeyHolder {
  readonly list: PersonList<WebauthnCredential>;
  /** Undefined if the person was removed a moment ago. */
  readonly account: Account | undefined;
}

/** Finds people by a passkey, before anything else is known of them. */
export interface PasskeyHolders {
  /**
   * Returns the person of any organization who made the passkey with this Credential ID here, or else at most {@link mostHolders} people whose
   * organizations imported it. Simultaneous calls share a query.
   */
  findAnywhere(credentialId: string): Promise<PasskeyHolder[]>;
}

/** The most people that a look-up in all organizations reads. An organization has one of them. */
const mostHolders = 20;
/** The most people that one query reads for several sign-ins. The list of each may have a hundred kilobytes. */
const mostAtOnce = 16;

/** A list with the user of its person. The join is one command instead of two, which wait for each other. */
interface HolderDocument extends ListDocument<WebauthnCredential> {
  readonly users: readonly AccountDocument[];
}

const ofUsers = Object.fromEntries(Object.keys(accountProjection).map((field) => [`users.${field}`, 0]));

/** Opens the look-up of people by their passkeys. */
export function createPasskeyHolders(mongo: Mongo): PasskeyHolders {
  const lists = mongo.collection('webauthnCredentials');
  const read = (condition: object, limit: number) =>
    lists
      .aggregate<HolderDocument>(
        [
          { $match: condition },
          { $limit: limit },
          { $lookup: { from: 'users', localField: '_id', foreignField: '_id', as: 'users' } },
          { $project: ofUsers },
        ],
        { batchSize: limit + 1 },
      )
      .toArray();
  const findMaker = batchReads(
    async (ids: readonly string[]) => {
      const found = await read({ instanceKeys: { $in: [...ids] } }, ids.length);
      const byId = new Map(found.flatMap((one) => (one.instanceKeys ?? []).map((id) => [id, one] as const)));
      return (id) => byId.get(id);
    },
    { ...usualBatches, most: mostAtOnce },
  );
  return {
    async findAnywhere(credentialId) {
      const maker = await findMaker(credentialId);
      if (maker !== undefined) return [toHolder(maker)];
      return (await read({ keys: credentialId }, mostHolders)).map(toHolder);
    },
  };
}

function toHolder({ users, ...document }: HolderDocument): PasskeyHolder {
  const list = toList(document);
  const user = users.find(({ orgId }) => orgId === list.orgId);
  return { list, account: user && toAccount(user) };
}
