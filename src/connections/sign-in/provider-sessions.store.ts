import { hashSecret } from '#src/keys/secret-hash.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** What Redis knows of the sessions of people at providers, for as long as a session here may live. */
export interface ProviderSessionsStore {
  /** Notes whose session at the provider of the connection it is. */
  put(session: { connectionId: string; sid: string; userId: string }): Promise<void>;
  /** The person of the session, if somebody signed in by it. */
  find(session: { connectionId: string; sid: string }): Promise<string | undefined>;
  /** Notes a logout token. Returns whether it was new: each counts once. */
  useLogoutToken(token: { connectionId: string; jti: string; expires: Date }): Promise<boolean>;
  /** Forgets a logout token that could not be followed, so that the provider may send it again. */
  forgetLogoutToken(token: { connectionId: string; jti: string }): Promise<void>;
}

export function createProviderSessions({
  redis,
  prefix,
  lifeSeconds,
}: {
  redis: RedisConnection;
  prefix: string;
  /** The longest life of a session. */
  lifeSeconds: number;
}): ProviderSessionsStore {
  const sidKey = (connectionId: string, sid: string) =>
    `${prefix}:connection-sid:${connectionId}:${hashSecret(sid)}`;
  const tokenKey = (connectionId: string, jti: string) =>
    `${prefix}:connection-logout:${connectionId}:${hashSecret(jti)}`;
  return {
    async put({ connectionId, sid, userId }) {
      await redis.set(sidKey(connectionId, sid), userId, 'PX', lifeSeconds * 1000);
    },
    async find({ connectionId, sid }) {
      return (await redis.get(sidKey(connectionId, sid))) ?? undefined;
    },
    async useLogoutToken({ connectionId, jti, expires }) {
      const key = tokenKey(connectionId, jti);
      return (await redis.set(key, '1', 'PXAT', expires.getTime(), 'NX')) === 'OK';
    },
    async forgetLogoutToken({ connectionId, jti }) {
      await redis.del(tokenKey(connectionId, jti));
    },
  };
}
