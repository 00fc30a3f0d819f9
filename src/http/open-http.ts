import type { Sealer } from '#src/keys/sealer.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import { createWindowCounts } from '#src/platform/redis/window-counts.js';
import { type AuthenticateDeps, createAuthenticate } from './auth/authenticate.js';
import { createLateness } from './limits/lateness.js';
import { createProvenCredentials } from './limits/proven-credentials.js';
import { createStoreProbe } from './limits/store-probe.js';

type OpenHttpDeps = AuthenticateDeps &
  Parameters<typeof createWindowCounts>[0] & {
    readonly sealer: (purpose: string) => Sealer;
    /** Bounds the addresses that are counted. */
    readonly addressBound: StoreBound;
    readonly mongo: Pick<Mongo, 'collection'>;
    /** Tells the workers that requests are late. */
    readonly lateSignal: { report(): void };
    readonly measures?: { requestsLate(): void } | undefined;
  };

/** What the room offers. */
export type OpenedHttp = ReturnType<typeof openHttp>;

/** Opens what all routes share: who a bearer token is, and the counts of the rate limits. */
export function openHttp(deps: OpenHttpDeps) {
  const settings = deps.mongo.collection<{ _id: string }>('instanceSettings');
  return {
    authenticate: createAuthenticate(deps),
    rateCounts: createWindowCounts(deps),
    addressBound: deps.addressBound,
    provenCredentials: createProvenCredentials(deps),
    lateness: createLateness(
      () => {
        deps.lateSignal.report();
        deps.measures?.requestsLate();
      },
      createStoreProbe(() => settings.findOne({ _id: 'probe' })),
    ),
    /** Seals the data that one form passes to the next. */
    formSealer: deps.sealer('form'),
    /** Seals what a person is about to do while the sign-in asks who it is. */
    confirmationSealer: deps.sealer('confirmation'),
  };
}
