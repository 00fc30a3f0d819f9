import { createSealedEntries, type SealedEntries, type SealedEntriesDeps } from './sealed-entries.js';

/** A browser that was signed out here, and is at the provider to be signed out there. */
interface LogoutReturn {
  readonly orgId: string;
  readonly connectionId: string;
  /** The hash of the browser that left. */
  readonly agentHash: string;
  /** Where the browser goes afterwards: an address that was checked before it left. */
  readonly redirectTo: string;
}

/** Browsers that come back from a logout at a provider, by their `state`. */
export type LogoutReturnsStore = SealedEntries<LogoutReturn>;

export function createLogoutReturns(deps: SealedEntriesDeps): LogoutReturnsStore {
  return createSealedEntries(deps, {
    family: `${deps.prefix}:connection-logout-return`,
    revive: (entry: LogoutReturn) => entry,
  });
}
