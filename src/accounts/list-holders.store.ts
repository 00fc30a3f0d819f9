import type { Mongo } from '#src/platform/mongo/mongo.js';
import { batchReads, usualBatches } from '#src/platform/work/batcher.js';
import type { Account } from './account.js';
import { type AccountDocument, accountProjection, toAccount } from './account-document.js';
import type { IdentityLink } from './person-lists/identity-link.js';
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

/** Finds the person who has an identity of a connection. */
export interface IdentityHolders {
  /**
   * Returns the account of the person in the organization whose list of links has this unique key. Undefined also if the person was removed a
   * moment ago.
   */
  accountOf(orgId: string, key: string): Promise<Account | undefined>;
}

/** The most people that a look-up in all organizations reads. An organization has one of them. */
const mostHolders = 20;
/** The most people that one query reads for several sign-ins. The list of each may have a hundred kilobytes. */
const mostAtOnce = 16;

/** A list with the user of its person. The join is one command instead of two, which wait for each other. */
interface HolderDocument<Item> extends ListDocument<Item> {
  readonly users: readonly AccountDocument[];
}

const ofUsers = Object.fromEntries(Object.keys(accountProjection).map((field) => [`users.${field}`, 0]));

/** Reads at most so many lists with the users of their people. */
function readHolders<Item>(
  mongo: Mongo,
  collection: string,
): (condition: object, limit: number) => Promise<HolderDocument<Item>[]> {
  const lists = mongo.collection(collection);
  return (condition, limit) =>
    lists
      .aggregate<HolderDocument<Item>>(
        [
          { $match: condition },
          { $limit: limit },
          { $lookup: { from: 'users', localField: '_id', foreignField: '_id', as: 'users' } },
          { $project: ofUsers },
        ],
        { batchSize: limit + 1 },
      )
      .toArray();
}

/** Opens the look-up of people by their identities. */
export function createIdentityHolders(mongo: Mongo): IdentityHolders {
  const read = readHolders<IdentityLink>(mongo, 'identityLinks');
  return {
    async accountOf(orgId, key) {
      const [holder] = await read({ orgId, keys: key }, 1);
      return holder && accountIn(holder);
    },
  };
}

/** Opens the look-up of people by their passkeys. */
export function createPasskeyHolders(mongo: Mongo): PasskeyHolders {
  const read = readHolders<WebauthnCredential>(mongo, 'webauthnCredentials');
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

function toHolder(holder: HolderDocument<WebauthnCredential>): PasskeyHolder {
  const { users: _users, ...document } = holder;
  return { list: toList(document), account: accountIn(holder) };
}

/** A user of another organization than the list is no account. */
function accountIn<Item>({ users, orgId }: HolderDocument<Item>): Account | undefined {
  const user = users.find((one) => one.orgId === orgId);
  return user && toAccount(user);
}
