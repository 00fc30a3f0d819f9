import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import { drawRandom } from '#src/platform/random.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** What a ceremony is for. A challenge of one purpose is worth nothing for another. */
type CeremonyPurpose = 'signIn' | 'secondFactor' | 'confirm' | 'enrol' | 'signInEnrol';

/** What a challenge is bound to. */
export interface CeremonyBinding {
  readonly purpose: CeremonyPurpose;
  /** The hash of the browser. */
  readonly agent: string;
  /** The only organization whose people may answer. Undefined if the person may be of any. */
  readonly orgId?: string | undefined;
  /** The only person who may answer. Undefined before the person is known. */
  readonly userId?: string | undefined;
}

/**
 * The challenges of ceremonies (WebAuthn Level 3 section 13.4.3). A challenge is the sealed text of its binding and its end, so that a page
 * with a challenge costs no store anything, and nobody else can make one. Redis learns of a challenge only when it was answered rightly,
 * so that each counts once.
 */
export interface PasskeyChallenges {
  /**
   * Returns a new challenge in base64url. It is valid for ten minutes.
   * @param note comes back with the answer
   */
  make(binding: CeremonyBinding, note?: string): string;
  /** Returns the note of a challenge that was made for exactly this binding and is not too old. Undefined for any other. */
  open(challenge: string, binding: CeremonyBinding): string | undefined;
  /** Uses up the challenge. If several callers do so, one gets true. */
  take(challenge: string): Promise<boolean>;
}

const lifeMs = 10 * 60_000;
/** The longest challenge that is read, in characters. */
const longestChallenge = 1_000;

export function createPasskeyChallenges({
  redis,
  prefix,
  sealer,
  clock,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
  clock: Clock;
}): PasskeyChallenges {
  return {
    make(binding, note = '') {
      const until = clock.now().getTime() + lifeMs;
      const text = JSON.stringify([boundTo(binding), until, note, drawRandom(16).toString('base64url')]);
      return sealer.seal(Buffer.from(text)).toString('base64url');
    },
    open(challenge, binding) {
      if (challenge.length > longestChallenge) return undefined;
      const plaintext = sealer.unseal(Buffer.from(challenge, 'base64url'));
      if (plaintext === undefined) return undefined;
      const [bound, until, note] = JSON.parse(plaintext.toString()) as [string, number, string];
      return bound === boundTo(binding) && until > clock.now().getTime() ? note : undefined;
    },
    async take(challenge) {
      // Several texts of base64url mean the same bytes.
      const name = hashSecret(Buffer.from(challenge, 'base64url').toString('base64url'));
      return (await redis.set(`${prefix}:passkey-challenge:${name}`, '1', 'PX', lifeMs, 'NX')) === 'OK';
    },
  };
}

function boundTo({ purpose, agent, orgId = '', userId = '' }: CeremonyBinding): string {
  return JSON.stringify([purpose, agent, orgId, userId]);
}
