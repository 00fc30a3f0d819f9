import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { boundedClaim, type Claims } from '../mapping/claim-values.js';

/** What a provider said of the person who signed in last by a connection. */
interface LastClaims {
  readonly subject: string;
  readonly claims: Claims;
  readonly time: Date;
}

/** The claims of the last sign-in of each connection, so that an owner can try a mapping. Redis keeps them sealed for a day. */
export interface LastClaimsStore {
  put(connectionId: string, last: LastClaims): Promise<void>;
  find(connectionId: string): Promise<LastClaims | undefined>;
}

const lifeMs = 24 * 3_600_000;
/** The most claims, and the longest JSON of them, in bytes. Longer ones are not kept. */
const mostClaims = 100;
const maxBytes = 65_536;

export function createLastClaims({
  redis,
  prefix,
  sealer,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
}): LastClaimsStore {
  const keyOf = (connectionId: string) => `${prefix}:connection-claims:${connectionId}`;
  return {
    async put(connectionId, { claims, ...last }) {
      const bounded = Object.entries(claims)
        .slice(0, mostClaims)
        .flatMap(([name, value]) => {
          const bounded = typeof value === 'number' ? value : boundedClaim(value);
          return bounded === undefined ? [] : [[name, bounded]];
        });
      const json = JSON.stringify({ ...last, claims: Object.fromEntries(bounded) });
      if (Buffer.byteLength(json) > maxBytes) return;
      const sealed = sealer.seal(deflateRawSync(json)).toString('base64url');
      await redis.set(keyOf(connectionId), sealed, 'PX', lifeMs);
    },
    async find(connectionId) {
      const sealed = await redis.get(keyOf(connectionId));
      const plain = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
      if (plain === undefined) return undefined;
      const { time, ...last } = JSON.parse(inflateRawSync(plain, { maxOutputLength: maxBytes }).toString());
      return { ...last, time: new Date(time) };
    },
  };
}
