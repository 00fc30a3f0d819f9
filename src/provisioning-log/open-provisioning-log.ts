import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createProvisioningLog } from './provisioning-log.js';
import { createProvisioningLogStore } from './provisioning-log.store.js';

export type OpenProvisioningLogDeps = Omit<Parameters<typeof createProvisioningLog>[0], 'store'> &
  Parameters<typeof createProvisioningLogStore>[1] & { readonly mongo: Mongo };

/** Opens the log of what SCIM clients sent and got. */
export function openProvisioningLog(deps: OpenProvisioningLogDeps) {
  const provisioningLogStore = createProvisioningLogStore(deps.mongo, deps);
  return {
    provisioningLogStore,
    provisioningLog: createProvisioningLog({ ...deps, store: provisioningLogStore }),
  };
}
