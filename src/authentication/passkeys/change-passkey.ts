import type { AbleOwners } from '#src/access/memberships/index.js';
import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { FactorGuard } from '../proofs/index.js';
import { servesPasskey } from '../relying-party/relying-party.js';
import { type WritePasskeysDeps, writePasskeys } from './write-passkeys.js';

/** A passkey of a user. */
type PasskeyTarget = Target & { readonly passkeyId: string };

/**
 * Gives a passkey of the user another name.
 * @param change `label` was read by `readPasskeyLabel`
 * @throws AppError `directory.passkeyNotFound`, and the errors of {@link writePasskeys}
 */
export async function renamePasskey(
  deps: WritePasskeysDeps,
  { passkeyId, label, ...target }: PasskeyTarget & { readonly label: string },
): Promise<void> {
  await writePasskeys(deps, target, {
    happened: 'user.human.passkey.renamed',
    payload: { passkey: label },
    change: (current) => ({ ...current, [passkeyId]: { ...found(current, passkeyId), label } }),
  });
}

/**
 * Removes a passkey of the user, and ends every session and every token of the user. An authenticator may keep its part: it signs in nobody.
 * @throws AppError `directory.passkeyNotFound`, `directory.lastAbleOwner` if no owner could sign in without it, the error of `guard`, and the
 * errors of {@link writePasskeys}
 */
export async function removePasskey(
  deps: WritePasskeysDeps & { readonly ableOwners: Pick<AbleOwners, 'keepIfOwner'> },
  { passkeyId, guard, ...target }: PasskeyTarget & { readonly guard?: FactorGuard },
): Promise<void> {
  const payload: Record<string, unknown> = {};
  const keepAble = await deps.ableOwners.keepIfOwner(target.id, target.editor);
  await writePasskeys(deps, target, {
    happened: 'user.human.passkey.removed',
    payload,
    endsSignIns: true,
    ...(keepAble && { afterwards: keepAble }),
    change(current, account) {
      const { label } = found(current, passkeyId);
      if (label !== undefined) payload['passkey'] = label;
      const { [passkeyId]: _removed, ...left } = current;
      const { passkeys: _mark, ...withoutAny } = account;
      if (!Object.values(left).some((one) => servesPasskey(deps, one))) guard?.(account, withoutAny);
      return left;
    },
  });
}

function found<Item>(items: Readonly<Record<string, Item>>, passkeyId: string): Item {
  const item = Object.hasOwn(items, passkeyId) ? items[passkeyId] : undefined;
  if (item === undefined) throw new AppError(directoryErrors.passkeyNotFound);
  return item;
}
