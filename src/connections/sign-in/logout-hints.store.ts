import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { LogoutHint } from '../provider/index.js';

/** The sign-in of a person by a connection. */
interface HintedSignIn {
  readonly orgId: string;
  readonly userId: string;
  readonly connectionId: string;
  /** An identifier of the sign-in that no other one has. */
  readonly ref: string;
}

/** Hints of the sign-ins of each person, as long as a session here may live. */
export interface LogoutHintsStore {
  /** Keeps the hint. One that is too long, or too much for the organization, is not kept: the provider is told without it. */
  put(of: HintedSignIn, hint: LogoutHint): Promise<void>;
  /** Returns the hint and ends it. */
  take(of: HintedSignIn): Promise<LogoutHint | undefined>;
  /** Ends all hints of a person, or those of one connection. */
  forget(of: { orgId: string; userId: string; connectionId?: string }): Promise<void>;
}

/** As many as a person can have sessions. */
const mostOfPerson = 100;
/** The longest hint, in bytes of JSON. */
const maxBytes = 4_096;

/** Takes a place among those of the organization. Places end with the session. Returns 0 if all are taken. */
const placeScript = `
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[3], ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;

/** A person who has too many loses all of them: most are of sessions that have ended. Returns the names of those. */
const putScript = `
  local lost = {}
  if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then
    lost = redis.call('HKEYS', KEYS[1])
    redis.call('DEL', KEYS[1])
  end
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return lost`;

const takeScript = `
  local found = redis.call('HGET', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[1], ARGV[1])
  return found`;

/** @param deps `mostOfOrganization`: the hints of all people of one organization. `lifeSeconds`: the longest life of a session */
export function createLogoutHints({
  redis,
  prefix,
  sealer,
  clock,
  lifeSeconds,
  mostOfOrganization = 10_000,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
  clock: Clock;
  lifeSeconds: number;
  mostOfOrganization?: number;
}): LogoutHintsStore {
  const lifeMs = lifeSeconds * 1000;
  const keyOf = (userId: string) => `${prefix}:connection-logout-hints:${userId}`;
  const placesOf = (orgId: string) => `${prefix}:connection-logout-places:${orgId}`;
  const nameOf = ({ connectionId, ref }: HintedSignIn) => `${connectionId} ${ref}`;
  const leave = async ({ orgId, userId }: { orgId: string; userId: string }, names: readonly string[]) => {
    if (names.length > 0) await redis.zrem(placesOf(orgId), ...names.map((name) => `${userId} ${name}`));
  };
  return {
    async put(of, hint) {
      const json = JSON.stringify(hint);
      if (Buffer.byteLength(json) > maxBytes) return;
      const { orgId, userId } = of;
      const name = nameOf(of);
      const place = [clock.now().getTime(), mostOfOrganization, lifeMs, `${userId} ${name}`];
      if ((await redis.eval(placeScript, 1, placesOf(orgId), ...place)) !== 1) return;
      const sealed = sealer.seal(deflateRawSync(json)).toString('base64url');
      const lost = await redis.eval(putScript, 1, keyOf(userId), mostOfPerson, name, sealed, lifeMs);
      await leave(of, lost as string[]);
    },
    async take(of) {
      const name = nameOf(of);
      const sealed = await redis.eval(takeScript, 1, keyOf(of.userId), name);
      const plain = typeof sealed === 'string' ? sealer.unseal(Buffer.from(sealed, 'base64url')) : undefined;
      if (plain === undefined) return undefined;
      await leave(of, [name]);
      return JSON.parse(inflateRawSync(plain, { maxOutputLength: maxBytes }).toString());
    },
    async forget({ orgId, userId, connectionId }) {
      const names = await redis.hkeys(keyOf(userId));
      const gone = names.filter((name) => connectionId === undefined || name.startsWith(`${connectionId} `));
      if (gone.length === 0) return;
      await redis.hdel(keyOf(userId), ...gone);
      await leave({ orgId, userId }, gone);
    },
  };
}
