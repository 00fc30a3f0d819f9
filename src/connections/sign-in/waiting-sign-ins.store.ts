import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import { connectionErrors } from '../registry/errors.js';

/**
 * A sign-in whose person is at a provider. Everything that the answer must fit is fixed before the browser leaves: the browser, the connection,
 * and the secrets of this one request.
 */
export interface WaitingSignIn {
  readonly orgId: string;
  readonly connectionId: string;
  /** The hash of the browser that left. */
  readonly agentHash: string;
  /** The flow of the waiting authorization request, or ''. */
  readonly flow: string;
  readonly toAccount: boolean;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly created: Date;
  /** When the person must have proved itself at the provider at the earliest. */
  readonly provedSince?: Date;
  /** The test that began it. It signs nobody in. Absent: the person signs in. */
  readonly test?: string;
  /** The session of a person who links an identity to its account. Absent: the person signs in. */
  readonly linkTo?: { readonly userId: string; readonly sessionId: string };
}

/** The `ID` of the SAML request of a waiting sign-in. An identifier of XML begins with no digit. */
export function requestIdOf({ nonce }: Pick<WaitingSignIn, 'nonce'>): string {
  return `_${nonce}`;
}

/** Sign-ins that wait for a provider. Redis keeps each for ten minutes, sealed, under the hash of its `state`. */
export interface WaitingSignInsStore {
  /** @throws AppError `connections.signInsFull` if callers who are not signed in have stored too much */
  put(state: string, waiting: WaitingSignIn): Promise<void>;
  /** Returns the sign-in without ending it. */
  find(state: string): Promise<WaitingSignIn | undefined>;
  /** Returns the sign-in and ends it: of several callers, one gets it. */
  take(state: string): Promise<WaitingSignIn | undefined>;
}

const lifeMs = 600_000;
/** The longest sign-in, in bytes. Its flow has at most 24,000 characters. */
const maxBytes = 65_536;
/** The longest `state` of this service, in characters. */
const stateShape = /^[\w-]{43}$/;

export function createWaitingSignIns({
  redis,
  prefix,
  sealer,
  bound,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
  bound: StoreBound;
}): WaitingSignInsStore {
  const keyOf = (state: string) => `${prefix}:connection-sign-in:${hashSecret(state)}`;
  return {
    async put(state, waiting) {
      if (bound.isFull())
        throw new AppError(connectionErrors.signInsFull, { retryAfterSeconds: bound.secondsLeft() });
      const key = keyOf(state);
      const sealed = sealer.seal(deflateRawSync(JSON.stringify(waiting))).toString('base64url');
      await redis.set(key, sealed, 'PX', lifeMs);
      bound.add({ key, lifeMs, valueBytes: sealed.length });
    },
    async find(state) {
      return stateShape.test(state) ? unseal(sealer, await redis.get(keyOf(state))) : undefined;
    },
    async take(state) {
      if (!stateShape.test(state)) return undefined;
      const key = keyOf(state);
      const sealed = await redis.getdel(key);
      if (sealed !== null) bound.remove({ key, lifeMs, valueBytes: sealed.length });
      return unseal(sealer, sealed);
    },
  };
}

function unseal(sealer: Sealer, sealed: string | null): WaitingSignIn | undefined {
  const plain = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
  if (plain === undefined) return undefined;
  const { created, provedSince, ...waiting } = JSON.parse(
    inflateRawSync(plain, { maxOutputLength: maxBytes }).toString(),
  );
  return {
    ...waiting,
    created: new Date(created),
    ...(provedSince !== undefined && { provedSince: new Date(provedSince) }),
  };
}
