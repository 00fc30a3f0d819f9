import { hashSecret } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { AuthorizationGrant } from '../issuance/authorization-grant.js';

/** The result of redeeming a code: its grant, or the refresh family that the first redemption began. */
type Redemption =
  | { readonly grant: AuthorizationGrant }
  | { readonly replayedFamilyId: string; readonly userId: string };

/** Authorization codes (RFC 6749 section 4.1.2). Redis knows each code only by its hash. */
export interface CodesStore {
  issue(grant: Omit<AuthorizationGrant, 'familyId'>): Promise<string>;
  /**
   * Removes the grant of a code and returns it to one of several callers. A redeemed code is remembered for
   * as long as access tokens of its redemption may live, so that a replay can revoke them. Its refresh family
   * can always be computed from the code ({@link familyOf}).
   */
  redeem(code: string): Promise<Redemption | undefined>;
}

/** The identifier of the refresh family that begins when the code is redeemed. */
export function familyOf(code: string): string {
  return hashSecret(`family ${code}`);
}

/** Replaces the grant with a mark of its redemption, atomically. */
const takeScript = `
  local found = redis.call('GET', KEYS[1])
  if found and string.sub(found, 1, 1) == '{' then
    local grant = cjson.decode(found)
    redis.call('SET', KEYS[1], grant['familyId'] .. ' ' .. grant['userId'], 'PX', ARGV[1])
  end
  return found`;

const codeLength = 43;

/** Opens the store of authorization codes. A code is remembered after its redemption as long as `accessTokenSeconds`, and at least ten minutes. */
export function createCodesStore(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
  codeSeconds: number;
  accessTokenSeconds: number;
}): CodesStore {
  const { redis, prefix, clock, codeSeconds } = deps;
  const rememberMs = Math.max(600, deps.accessTokenSeconds) * 1000;
  const keyOf = (code: string) => `${prefix}:code:${hashSecret(code)}`;

  return {
    async issue(grant) {
      const code = newSecret();
      const expires = new Date(clock.now().getTime() + codeSeconds * 1000);
      await redis.set(
        keyOf(code),
        JSON.stringify({ ...grant, familyId: familyOf(code), expires }),
        'PX',
        codeSeconds * 1000,
      );
      return code;
    },
    async redeem(code) {
      if (code.length !== codeLength) return undefined;
      const found = (await redis.eval(takeScript, 1, keyOf(code), rememberMs)) as string | null;
      if (found === null) return undefined;
      if (!found.startsWith('{')) {
        const space = found.indexOf(' ');
        return { replayedFamilyId: found.slice(0, space), userId: found.slice(space + 1) };
      }
      const { expires, authTime, began = authTime, ...grant } = JSON.parse(found);
      if (new Date(expires) <= clock.now()) return undefined;
      return { grant: { ...grant, authTime: new Date(authTime), began: new Date(began) } };
    },
  };
}
