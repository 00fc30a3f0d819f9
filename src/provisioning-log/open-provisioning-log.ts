import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createProvisioningLog, type ProvisioningLog } from './provisioning-log.js';
import {
  createProvisioningLogStore,
  type ProvisioningLogStore,
  provisioningLogIndexes,
} from './provisioning-log.store.js';

/** The collections of the room, with their indexes. */
export const provisioningCollections = [provisioningLogIndexes];

type OpenProvisioningLogDeps = Omit<Parameters<typeof createProvisioningLog>[0], 'store'> &
  Parameters<typeof createProvisioningLogStore>[1] & { readonly mongo: Mongo };

/** What the room offers. */
export interface OpenedProvisioningLog {
  readonly provisioningLogStore: ProvisioningLogStore;
  readonly provisioningLog: ProvisioningLog;
}

/** Opens the log of what SCIM clients sent and got. */
export function openProvisioningLog(deps: OpenProvisioningLogDeps): OpenedProvisioningLog {
  const provisioningLogStore = createProvisioningLogStore(deps.mongo, deps);
  return {
    provisioningLogStore,
    provisioningLog: createProvisioningLog({ ...deps, store: provisioningLogStore }),
  };
}
