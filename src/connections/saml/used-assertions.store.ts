import { hash } from 'node:crypto';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { Connection } from '../registry/connection.js';

/** SAML assertions that have signed somebody in, and logout requests that were followed, over all processes. */
export interface UsedAssertions {
  /**
   * Remembers the assertion of a connection.
   * @returns false if it was used before. Of two calls at the same time, one gets true
   */
  use(connection: Pick<Connection, 'orgId' | 'id'>, assertionId: string): Promise<boolean>;
  /** Forgets a message that could not be followed, so that it may come again. */
  forget(connection: Pick<Connection, 'orgId' | 'id'>, assertionId: string): Promise<void>;
  /**
   * Whether a sign-in that began at the provider may begin anew for this browser. It may not for 10 seconds after the last time, so that a
   * provider that answers no request leads into no loop.
   */
  mayBeginAnew(connection: Pick<Connection, 'orgId' | 'id'>, agentHash: string): Promise<boolean>;
}

/** Longer than the request that an assertion must answer waits: without the request it counts no more. */
const lifeMs = 15 * 60_000;
/** The time between two sign-ins of a browser that began at the provider. */
const pauseMs = 10_000;

export function createUsedAssertions({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): UsedAssertions {
  const nameOf = ({ orgId, id }: Pick<Connection, 'orgId' | 'id'>, text: string) =>
    hash('sha256', JSON.stringify([orgId, id, text]), 'base64url');
  const usedKey = (...of: Parameters<typeof nameOf>) => `${prefix}:saml-assertion:${nameOf(...of)}`;
  return {
    async use(connection, assertionId) {
      return (await redis.set(usedKey(connection, assertionId), '1', 'PX', lifeMs, 'NX')) === 'OK';
    },
    async forget(connection, assertionId) {
      await redis.del(usedKey(connection, assertionId));
    },
    async mayBeginAnew(connection, agentHash) {
      const key = `${prefix}:saml-start:${nameOf(connection, agentHash)}`;
      return (await redis.set(key, '1', 'PX', pauseMs, 'NX')) === 'OK';
    },
  };
}
