import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** A request with the user agent that may continue it. */
export type WaitingRequest = AuthorizationRequest & {
  readonly agentHash: string;
  /** The address that the request came from. It limits how many requests wait. */
  readonly address?: string;
};

/** Authorization requests that wait for a person to sign in. Redis keeps each for {@link waitingSeconds}. */
export interface AuthorizationRequestsStore {
  /** Keeps a request, and remembers it as the latest of its agent. */
  put(request: WaitingRequest): Promise<void>;
  find(id: string): Promise<WaitingRequest | undefined>;
  /** The identifier of the latest request of an agent, for links that lead back into it. It may have ended. */
  latestOf(agentHash: string): Promise<string | undefined>;
  /**
   * Changes a request that still waits.
   * @param known the request as the caller has just read it; without it the store reads it first
   */
  update(
    id: string,
    patch: Partial<Pick<WaitingRequest, 'sessionId' | 'uiLocales'>>,
    known?: WaitingRequest,
  ): Promise<void>;
  /** Removes a request. @returns whether it was there: true for only one of several callers */
  remove(id: string): Promise<boolean>;
}

/** How long a request waits. */
export const waitingSeconds = 1_800;
const latestSeconds = 3_600;

export function createAuthorizationRequestsStore(deps: {
  redis: RedisConnection;
  prefix: string;
}): AuthorizationRequestsStore {
  const { redis, prefix } = deps;
  const keyOf = (id: string) => `${prefix}:authorization-request:${id}`;
  const latestKey = (agentHash: string) => `${prefix}:login-request:${agentHash}`;

  async function find(id: string): Promise<WaitingRequest | undefined> {
    // No identifier that we make is longer, so Redis need not be asked.
    const text = id.length > 100 ? null : await redis.get(keyOf(id));
    if (text === null) return undefined;
    const { created, ...rest } = JSON.parse(text);
    return { ...rest, created: new Date(created) };
  }

  return {
    find,
    async put(request) {
      await Promise.all([
        redis.set(keyOf(request.id), JSON.stringify(request), 'EX', waitingSeconds),
        redis.set(latestKey(request.agentHash), request.id, 'EX', latestSeconds),
      ]);
    },
    async latestOf(agentHash) {
      return (await redis.get(latestKey(agentHash))) ?? undefined;
    },
    async update(id, patch, known) {
      const request = known ?? (await find(id));
      // XX: a request that expired in between stays gone.
      if (request !== undefined) {
        await redis.call('SET', keyOf(id), JSON.stringify({ ...request, ...patch }), 'XX', 'KEEPTTL');
      }
    },
    async remove(id) {
      return (await redis.del(keyOf(id))) === 1;
    },
  };
}
