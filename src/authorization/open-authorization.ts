import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import {
  type AuthorizationRequestsStore,
  createAuthorizationRequestsStore,
} from './authorization-requests.store.js';

interface OpenAuthorizationDeps {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly sealer: (purpose: string) => Sealer;
}

/** What the room offers. */
export interface OpenedAuthorization {
  readonly authorizationRequests: AuthorizationRequestsStore;
}

/** Opens the requests of applications that wait for a sign-in. */
export function openAuthorization({ sealer, ...storeDeps }: OpenAuthorizationDeps): OpenedAuthorization {
  return {
    authorizationRequests: createAuthorizationRequestsStore({
      ...storeDeps,
      sealer: sealer('authorization-request'),
    }),
  };
}
