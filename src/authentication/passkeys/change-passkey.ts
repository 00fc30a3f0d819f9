import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { FactorGuard } from '../proofs/index.js';
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
 * @throws AppError `directory.passkeyNotFound`, the error of `guard`, and the errors of {@link writePasskeys}
 */
export async function removePasskey(
  deps: WritePasskeysDeps,
  { passkeyId, guard, ...target }: PasskeyTarget & { readonly guard?: FactorGuard },
): Promise<void> {
  const payload: Record<string, unknown> = {};
  await writePasskeys(deps, target, {
    happened: 'user.human.passkey.removed',
    payload,
    endsSignIns: true,
    before(current) {
      if ((current.passkeys?.count ?? 0) > 1) return;
      const { passkeys: _removed, ...left } = current;
      guard?.(current, left);
    },
    change(current) {
      const { label } = found(current, passkeyId);
      if (label !== undefined) payload['passkey'] = label;
      const { [passkeyId]: _removed, ...left } = current;
      return left;
    },
  });
}

function found<Item>(items: Readonly<Record<string, Item>>, passkeyId: string): Item {
  const item = Object.hasOwn(items, passkeyId) ? items[passkeyId] : undefined;
  if (item === undefined) throw new AppError(directoryErrors.passkeyNotFound);
  return item;
}
