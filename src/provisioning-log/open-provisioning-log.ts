import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createProvisioningLog, type ProvisioningLog } from './provisioning-log.js';
import { createProvisioningLogStore, type ProvisioningLogStore } from './provisioning-log.store.js';

type OpenProvisioningLogDeps = Omit<Parameters<typeof createProvisioningLog>[0], 'store'> &
  Parameters<typeof createProvisioningLogStore>[1] & { readonly mongo: Mongo };

interface OpenedProvisioningLog {
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
