import type { EventType } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/index.js';
import { userEvent } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';

export interface RecordCheckDeps {
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** Where an attempt came from. */
export interface CheckOrigin {
  /** The network address of the client. Failures are also limited for each address. */
  readonly address: string;
  /** What the browser says that it is. The caller has bounded it. */
  readonly userAgent?: string | undefined;
  /** The application to which the person signs in. */
  readonly clientId?: string | undefined;
}

/** An earlier sign-in of a user at the browser that now sends a proof. */
export interface EarlierSignIn {
  /** Names the sign-in, and the same one until the user signs in there again. */
  readonly id: string;
  readonly time: Date;
}

/**
 * Why a proof was refused. Only the administrators learn it, from the event. `locked`: the failures of the user, or of the account
 * behind the login name, are too many, and the proof may be right. `changedMeanwhile`: another request changed the password or the
 * second factor. `passwordsOff`: the sign-in policy of the organization lets no password sign in.
 * `passkeyCounter`: the signature counter did not rise, so two authenticators may have the key.
 */
export const refusedChecks = [
  'passwordWrong',
  'passwordMissing',
  'passwordsOff',
  'inactive',
  'locked',
  'changedMeanwhile',
  'codeWrong',
  'passkeyWrong',
  'passkeyCounter',
] as const;
export type RefusedCheck = (typeof refusedChecks)[number];

/** Records the outcome of an authentication attempt. The user does not change, so its version stays. */
export async function recordCheck(
  { events, clock }: RecordCheckDeps,
  user: User,
  attempt: { happened: readonly EventType[]; from: CheckOrigin; reason?: RefusedCheck | undefined },
): Promise<void> {
  const at = { ...user, lastModified: clock.now() };
  const editor = { userId: user.id, service: 'login' };
  const { address, userAgent, clientId } = attempt.from;
  const payload = {
    ...(attempt.reason !== undefined && { reason: attempt.reason }),
    address,
    ...(userAgent !== undefined && { userAgent }),
    ...(clientId !== undefined && { clientId }),
  };
  for (const type of attempt.happened) await events.record(userEvent(type, at, editor, payload));
}
