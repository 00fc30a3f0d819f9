import Type from 'typebox';
import { count, type Settings, seconds } from './setting.js';

/** Sessions, wrong passwords and passkeys. */
export const signingInSettings = {
  sessionIdleSeconds: {
    env: 'MUSTER_SESSION_IDLE_SECONDS',
    schema: seconds(1),
    default: 24 * 3600,
    about: 'A session ends when it was not used for this time, in seconds.',
  },
  sessionAbsoluteSeconds: {
    env: 'MUSTER_SESSION_ABSOLUTE_SECONDS',
    schema: seconds(1),
    default: 14 * 24 * 3600,
    about: 'A session ends this long after its user last signed in, even if it is used, in seconds.',
  },
  freshSignInSeconds: {
    env: 'MUSTER_FRESH_SIGN_IN_SECONDS',
    schema: seconds(1),
    default: 900,
    about:
      'An administrator must have signed in within this time, in seconds, for each operation of [fresh-sign-in.md](fresh-sign-in.md), such as giving a role or a secret.',
  },
  loginMaxFailures: {
    env: 'MUSTER_LOGIN_MAX_FAILURES',
    schema: count(1, 10_000),
    default: 10,
    about:
      'Number of wrong passwords, or of wrong one-time codes, after which a user is locked for ' +
      'MUSTER_LOGIN_LOCK_SECONDS. Each wrong code after that locks twice as long as the one before, up to 24 ' +
      'hours. Wrong codes count until a right one, or for 30 days.',
  },
  loginMaxFailuresPerAddress: {
    env: 'MUSTER_LOGIN_MAX_FAILURES_PER_ADDRESS',
    schema: count(1),
    default: 100,
    about:
      'Number of failed sign-ins after which a client address is locked for MUSTER_LOGIN_LOCK_SECONDS. All ' +
      'people of an office may share one address. Browsers in which a person has signed in before do not wait.',
  },
  loginLockSeconds: {
    env: 'MUSTER_LOGIN_LOCK_SECONDS',
    schema: seconds(1),
    default: 600,
    about:
      'Time in which failed sign-ins are counted, and for which a user or an address is then locked, in ' +
      'seconds.',
  },
  loginFailureMilliseconds: {
    env: 'MUSTER_LOGIN_FAILURE_MILLISECONDS',
    schema: count(0, 10_000),
    default: 500,
    about:
      'A failed sign-in is answered after this time at the earliest. So the time does not reveal which kind ' +
      'of password hash was compared, or that the user does not exist. The default is long enough for ' +
      'bcrypt up to cost 12. Each further cost doubles the time: cost 15 needs about 4000. Imported users ' +
      'with a higher cost can be recognised until they sign in once.',
  },
  rpId: {
    env: 'MUSTER_RP_ID',
    schema: Type.String({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$', maxLength: 253 }),
    default: '',
    defaultText: 'the host of `MUSTER_BASE_URL`',
    about:
      'RP ID of passkeys: the host for which browsers keep them. Set it to the former host if MUSTER_BASE_URL gets another one. ' +
      'Browsers then ask the former host for `/.well-known/webauthn`, so it must lead to this service too: see [passkeys.md](guides/passkeys.md#another-address).',
  },
  rpIdChange: {
    env: 'MUSTER_RP_ID_CHANGE',
    schema: Type.String({ pattern: '^[a-z0-9.-]+ [a-z0-9.-]+$', maxLength: 507 }),
    default: '',
    defaultText: 'none',
    about:
      'The former RP ID, a blank, and the new one. It permits a start with another RP ID, after which the passkeys of the former one ' +
      'sign in nobody. Without it, such a start is refused.',
  },
} as const satisfies Settings;
