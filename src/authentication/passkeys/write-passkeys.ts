import type { Account } from '#src/accounts/index.js';
import {
  mostPasskeys,
  type PersonList,
  type WebauthnCredential,
  type WebauthnCredentialsStore,
} from '#src/accounts/person-lists/index.js';
import type { EventType } from '#src/audit/event.js';
import type { Config } from '#src/config.js';
import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { servesPasskey } from '../relying-party/relying-party.js';
import { type NewAccount, type WriteAccountDeps, writeAccount } from '../write-account.js';

export interface WritePasskeysDeps extends WriteAccountDeps {
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findMany' | 'insert' | 'remove' | 'replace'>;
  readonly config: WriteAccountDeps['config'] & Pick<Config, 'baseUrl' | 'rpId'>;
}

type Passkeys = Readonly<Record<string, WebauthnCredential>>;

/** A change of the passkeys of a user. */
interface PasskeysChange {
  readonly happened: EventType;
  readonly payload: Record<string, unknown>;
  readonly endsSignIns?: boolean;
  /** Returns the passkeys after the change. @param account before it. @throws AppError to refuse it */
  change(current: Passkeys, account: Account): Passkeys;
  /** Another write of the transaction. */
  alongside?(transaction: Transaction): Promise<void>;
  /** Called in the transaction when everything was written. Throws to refuse it. */
  afterwards?(transaction: Transaction): Promise<void>;
}

/**
 * Writes the list of passkeys of a user, the mark in the account and the event, as one compare-and-swap on the version of the user.
 * @throws AppError `directory.userNotFound`, `directory.changing`, `directory.tooManyPasskeys`, `directory.passkeyTaken`
 */
export async function writePasskeys(
  deps: WritePasskeysDeps,
  target: Target & { readonly newAccount?: NewAccount | undefined },
  { change, alongside, afterwards, ...told }: PasskeysChange,
): Promise<void> {
  const { orgId, id: userId } = target;
  const write = writeAccount(deps, target, (account) => ({
    ...told,
    async write(at, transaction) {
      const [list] = await deps.webauthnCredentials.findMany(orgId, [userId]);
      const items = change(list?.items ?? {}, account);
      if (Object.keys(items).length > mostPasskeys) throw new AppError(directoryErrors.tooManyPasskeys);
      // One of another RP ID signs in nobody here.
      const count = Object.values(items).filter((one) => servesPasskey(deps, one)).length;
      const passkeys = count === 0 ? undefined : { count, changed: at.now };
      if (!(await deps.accounts.setPasskeys(orgId, { ...at, passkeys }, transaction))) return false;
      await alongside?.(transaction);
      const isWritten = await writeList(deps, { list, items, orgId, userId, now: at.now }, transaction);
      if (isWritten) await afterwards?.(transaction);
      return isWritten;
    },
  }));
  await write.catch((error: unknown) => {
    throw isDuplicateKey(error) ? new AppError(directoryErrors.passkeyTaken) : error;
  });
}

/** Returns false if somebody else wrote the list since it was read. */
async function writeList(
  { webauthnCredentials: lists }: WritePasskeysDeps,
  written: {
    readonly list: PersonList<WebauthnCredential> | undefined;
    readonly items: Passkeys;
    readonly orgId: string;
    readonly userId: string;
    readonly now: Date;
  },
  transaction: Transaction,
): Promise<boolean> {
  const { list, items, orgId, userId, now } = written;
  if (list === undefined) {
    const first = { id: newId(), orgId, userId, items, version: 1, created: now, lastModified: now };
    await lists.insert(orgId, [first], transaction);
    return true;
  }
  const next = { ...list, items, version: list.version + 1, lastModified: now };
  if (!(await lists.replace(orgId, { list: next, expectedVersion: list.version }, transaction))) return false;
  if (Object.keys(items).length === 0) await lists.remove(orgId, [userId], transaction);
  return true;
}
