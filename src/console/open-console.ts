import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createDraftsStore, type DraftsStore } from './drafts/drafts.store.js';
import { createRefusedPagesStore, type RefusedPagesStore } from './drafts/refused-pages.store.js';

interface OpenConsoleDeps {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly sealer: (purpose: string) => Sealer;
}

/** What the room offers. */
export interface OpenedConsole {
  /** Seals the cookies of the console. */
  readonly consoleSealer: Sealer;
  readonly consoleDrafts: DraftsStore;
  readonly refusedPages: RefusedPagesStore;
}

/** Opens what the console keeps of a browser: its session is a cookie, an interrupted form is a draft, and a refused one is a page. */
export function openConsole({ sealer, ...storeDeps }: OpenConsoleDeps): OpenedConsole {
  return {
    consoleSealer: sealer('console'),
    consoleDrafts: createDraftsStore({ ...storeDeps, sealer: sealer('console-draft') }),
    refusedPages: createRefusedPagesStore({ ...storeDeps, sealer: sealer('console-refused') }),
  };
}
