import type { Logger } from '#src/platform/logger.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { OrganizationsStore } from './organizations.store.js';

export interface EachOrganizationDeps {
  readonly organizations: Pick<OrganizationsStore, 'page'>;
  readonly logger: Logger;
}

/** Organizations that are read together. */
const atOnce = 100;

/**
 * Does something in each organization, one after the other. If it fails in one, this is logged, and the next follows. It stops if a store is
 * unavailable, and throws that error.
 * @param failed the text of the log when it fails in an organization
 * @param work returns false to stop
 */
export async function inEachOrganization(
  { organizations, logger }: EachOrganizationDeps,
  failed: string,
  work: (orgId: string) => Promise<boolean>,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const page = await organizations.page({ ...(after !== undefined && { after }), limit: atOnce });
    for (const { id: orgId } of page) {
      try {
        if (!(await work(orgId))) return;
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        logger.error({ err: error, orgId }, failed);
      }
    }
    after = page.at(-1)?.id;
    if (page.length < atOnce) return;
  }
}
