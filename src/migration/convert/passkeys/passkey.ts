import { credentialsById, type WebauthnCredential } from '#src/accounts/person-lists/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Passkeys } from '../mapping/people-format.js';
import { datesOf } from '../values/dates.js';

/** What a system says about a WebAuthn credential. Bytes are in base64 or base64url. */
type GivenPasskey = {
  readonly [Name in keyof WebauthnCredential]?: unknown;
};

/** Returns the credential as an import takes it. Undefined if an import would refuse it. */
export function passkeyOf(given: GivenPasskey): Passkeys[number] | undefined {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  const transports = Array.isArray(given.transports)
    ? given.transports.map((one) => String(one).toLowerCase()).filter((one) => /^[a-z-]{1,32}$/.test(one))
    : [];
  const { created } = datesOf({ created: given.created }, []);
  const credential = present({
    id: text(given.id) ?? '',
    publicKey: text(given.publicKey) ?? '',
    counter: typeof given.counter === 'number' ? given.counter : 0,
    transports: transports.length > 0 ? transports.slice(0, 10) : undefined,
    aaguid: text(given.aaguid),
    userHandle: text(given.userHandle),
    rpId: text(given.rpId),
    label: text(given.label)
      ?.replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 200),
    passwordless: flag(given.passwordless),
    backupEligible: flag(given.backupEligible),
    backedUp: flag(given.backedUp),
  });
  try {
    const [checked] = Object.values(credentialsById([credential]));
    const { transports, created: _created, lastUsed: _lastUsed, ...others } = checked as WebauthnCredential;
    return {
      ...others,
      ...(transports !== undefined && { transports: [...transports] }),
      ...(created !== undefined && { created }),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined;
  }
}

function present<Value extends object>(value: Value): Value & WebauthnCredential {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as Value & WebauthnCredential;
}
