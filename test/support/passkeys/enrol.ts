import { randomBytes } from 'node:crypto';
import type { Editor } from '#src/audit/event.js';
import { addPasskey } from '#src/authentication/passkeys/index.js';
import type { User } from '#src/directory/user.js';
import type { Rooms } from '#src/rooms.js';
import { testEditor } from '../app/make.js';
import { type Otherwise, SoftAuthenticator } from './authenticator.js';

/** Gives a person a passkey, as the account page does. */
export async function enrolPasskey(
  container: Rooms,
  { id, orgId }: Pick<User, 'id' | 'orgId'>,
  {
    key = new SoftAuthenticator(),
    editor = testEditor,
    ...other
  }: Otherwise & { key?: SoftAuthenticator; editor?: Editor } = {},
): Promise<SoftAuthenticator> {
  const { origin, hostname: rpId } = new URL(container.config.baseUrl);
  const binding = { purpose: 'enrol', agent: 'browser', orgId, userId: id } as const;
  const handle = randomBytes(32).toString('base64url');
  const challenge = container.passkeyChallenges.make(binding, handle);
  const options = { challenge, rp: { id: rpId }, user: { id: handle } };
  const made = await addPasskey(container, {
    ...{ orgId, id, editor, binding, usualLabel: 'Passkey', party: { id: rpId, origin } },
    response: key.create(options, origin, other),
  });
  if (made === undefined) throw new Error('The passkey was not added');
  return key;
}
