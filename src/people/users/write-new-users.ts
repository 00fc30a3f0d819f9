import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import { conflictOf, type FindTaken, takenError, uniqueKeysOf, userNameKey } from './unique-values.js';
import { userAdded } from './user-events.js';
import type { NewUser } from './user-writes.store.js';
import type { UsersStore } from './users.store.js';

/** A new user to write, and the editor that adds it. */
export interface Addition {
  readonly organization: Pick<Organization, 'id' | 'extensionSchemas'>;
  readonly added: NewUser;
  readonly editor: Editor;
}

/**
 * Writes a new user and its `user.human.added` event.
 * @throws AppError `directory.userNameTaken`, `directory.valueTaken`
 */
export type BatchNewUser = (addition: Addition) => Promise<void>;

interface WriteDeps {
  readonly users: Pick<UsersStore, 'insert'> & FindTaken;
  readonly events: Pick<EventsStore, 'append'>;
}

/** For one organization. A transaction costs several round trips, for any number of users. */
const limits = { atOnce: 2, most: 50 };

/** No transaction of new users is tried again after this time. Afterwards the client gets 503. */
const retryMs = 2_000;

/**
 * Writes new users and their `user.human.added` events in the transaction of the caller.
 * @param addition `date`: when the users are added, if they were changed earlier elsewhere
 * @throws the duplicate-key error of MongoDB if an id or a userName is taken
 */
export async function writeNewUsers(
  { users, events }: Pick<WriteDeps, 'events'> & { users: Pick<UsersStore, 'insert'> },
  {
    orgId,
    added,
    editor,
    date,
  }: {
    orgId: string;
    added: readonly NewUser[];
    editor: Editor;
    date?: Date;
  },
  transaction: Transaction,
): Promise<void> {
  await users.insert(orgId, added, transaction);
  await events.append(
    added.map(({ user }) => userAdded(date === undefined ? user : { ...user, lastModified: date }, editor)),
    transaction,
  );
}

/**
 * Returns a function that combines the new users of simultaneous callers in one organization and writes them in one
 * transaction. Only a user fails who has a value that is taken. Callers in other organizations never wait for them.
 */
export function createNewUserBatcher(deps: WriteDeps & { mongo: Mongo }): BatchNewUser {
  return oneOfEach(
    keyOf,
    batchWrites(
      async (additions) => {
        const failures = await writeTogether(deps, additions);
        return (addition) => {
          if (failures.has(addition)) throw failures.get(addition);
        };
      },
      limits,
      ({ organization }) => organization.id,
    ),
  );
}

/**
 * Lets one of several equal items be written at a time. The others wait for its outcome: they are taken if it was
 * written or taken, and fail as it did if the store is away.
 */
function oneOfEach(keyOf: (addition: Addition) => string, write: BatchNewUser): BatchNewUser {
  const underWay = new Map<string, Promise<void>>();
  return async (addition) => {
    const key = keyOf(addition);
    for (let first = underWay.get(key); first !== undefined; first = underWay.get(key)) {
      const failure = await first.then(userNameTaken, (error: unknown) => error);
      if (isUserNameTaken(failure) || isStoreUnavailable(failure)) throw failure;
    }
    const written = write(addition).finally(() => underWay.delete(key));
    underWay.set(key, written);
    return written;
  };
}

/** Writes new users of one organization. @returns the errors of those that were not written */
async function writeTogether(
  deps: WriteDeps & { mongo: Mongo },
  additions: readonly Addition[],
): Promise<Map<Addition, unknown>> {
  const [first] = additions;
  if (first === undefined) return new Map();
  const { id: orgId, extensionSchemas: registered } = first.organization;
  try {
    await write(deps, orgId, additions);
    return new Map();
  } catch (error) {
    if (!isDuplicateKey(error)) return new Map(additions.map((addition) => [addition, error]));
    if (additions.length === 1)
      return new Map([[first, await takenError(deps.users, first.added.user, registered)]]);
  }
  const taken = await deps.users.takenKeys(
    orgId,
    additions.flatMap(({ added }) => uniqueKeysOf(added.user)),
  );
  const failures = new Map<Addition, unknown>();
  for (const addition of additions) {
    const conflict = conflictOf(addition.added.user, taken, registered);
    if (conflict !== undefined) failures.set(addition, conflict);
  }
  const left = additions.filter((addition) => !failures.has(addition));
  // If the value is not there to be seen, each gets its own transaction, one after the other.
  const rounds = failures.size > 0 ? [left] : left.map((addition) => [addition]);
  for (const round of rounds) {
    for (const [addition, failure] of await writeTogether(deps, round)) failures.set(addition, failure);
  }
  return failures;
}

function write(
  { mongo, users, events }: WriteDeps & { mongo: Mongo },
  orgId: string,
  additions: readonly Addition[],
): Promise<void> {
  const added = additions.map((addition) => addition.added);
  const happened = additions.map(({ added, editor }) => userAdded(added.user, editor));
  return mongo.transaction(
    async (transaction) => {
      await users.insert(orgId, added, transaction);
      await events.append(happened, transaction);
    },
    { retryMs },
  );
}

/** The key of the unique index. */
function keyOf({ organization, added }: Addition): string {
  return `${organization.id} ${userNameKey(added.user.userName)}`;
}

function userNameTaken(): AppError {
  return new AppError(directoryErrors.userNameTaken);
}

function isUserNameTaken(error: unknown): boolean {
  return error instanceof AppError && error.definition === directoryErrors.userNameTaken;
}
