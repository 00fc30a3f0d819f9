import type { Editor } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import { AppError } from '#src/platform/errors.js';
import { keyErrors } from './errors.js';
import type { RotateSigningKeysDeps } from './rotate-signing-keys.js';

type RemoveSigningKeyDeps = Pick<
  RotateSigningKeysDeps,
  'mongo' | 'store' | 'signingKeys' | 'events' | 'clock'
>;

/**
 * Removes a retired key before its tokens have expired, for a key that leaked. The key is unpublished,
 * and this service accepts nothing that it signed. Recorded as `signing.key.removed`.
 * @throws AppError `keys.notFound`, `keys.stillNeeded`
 */
export async function removeSigningKey(
  { mongo, store, signingKeys, events, clock }: RemoveSigningKeyDeps,
  { kid, editor }: { kid: string; editor: Editor },
): Promise<void> {
  const key = (await store.all()).find((one) => one.kid === kid);
  if (key === undefined) throw new AppError(keyErrors.notFound);
  if (key.state !== 'retired') throw new AppError(keyErrors.stillNeeded);
  const event = newEvent('signing.key.removed', {
    aggregate: 'instance',
    id: kid,
    editor,
    // The first event of the key is that it began to sign.
    sequence: 2,
    date: clock.now(),
  });
  await mongo.transaction(async (transaction) => {
    if (!(await store.removeRetired(kid, transaction))) throw new AppError(keyErrors.notFound);
    await events.append([event], transaction);
  });
  await signingKeys.changed();
}
