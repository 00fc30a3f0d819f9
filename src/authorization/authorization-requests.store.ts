import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** A request and the user agent that may go on with it. */
export type WaitingRequest = AuthorizationRequest & {
  readonly agentHash: string;
  /** Where it came from, as waiting requests are counted. */
  readonly address?: string;
};

/** Authorization requests that wait for a person to sign in. Each is forgotten after half an hour. */
export interface AuthorizationRequestsStore {
  put(request: WaitingRequest): Promise<void>;
  find(id: string): Promise<WaitingRequest | undefined>;
  /**
   * Changes a request that is still there.
   * @param known the request, where the caller has just read it: it is not read again
   */
  update(
    id: string,
    patch: Partial<Pick<WaitingRequest, 'sessionId' | 'uiLocales'>>,
    known?: WaitingRequest,
  ): Promise<void>;
  /** Takes the request away, in one step. @returns whether it was there: of several callers one is told so */
  remove(id: string): Promise<boolean>;
}

/** How long a request waits. */
export const waitingSeconds = 1_800;

export function createAuthorizationRequestsStore(deps: {
  redis: RedisConnection;
  prefix: string;
}): AuthorizationRequestsStore {
  const { redis, prefix } = deps;
  const keyOf = (id: string) => `${prefix}:authorization-request:${id}`;

  async function find(id: string): Promise<WaitingRequest | undefined> {
    // Nothing that we made is longer: it need not be asked for.
    const text = id.length > 100 ? null : await redis.get(keyOf(id));
    if (text === null) return undefined;
    const { created, ...rest } = JSON.parse(text);
    return { ...rest, created: new Date(created) };
  }

  return {
    find,
    async put(request) {
      await redis.set(keyOf(request.id), JSON.stringify(request), 'EX', waitingSeconds);
    },
    async update(id, patch, known) {
      const request = known ?? (await find(id));
      // XX: one that expired meanwhile stays gone.
      if (request !== undefined) {
        await redis.call('SET', keyOf(id), JSON.stringify({ ...request, ...patch }), 'XX', 'KEEPTTL');
      }
    },
    async remove(id) {
      return (await redis.del(keyOf(id))) === 1;
    },
  };
}
