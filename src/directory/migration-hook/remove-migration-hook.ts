import type { Editor } from '#src/audit/event.js';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { type ChangeOrganizationDeps, changeOrganization } from '../organizations/change-organization.js';

/**
 * Removes the migration hook of an organization, with its secret. Nobody is asked any longer.
 * @throws AppError `directory.migrationHookNotFound` and the errors of {@link changeOrganization}
 */
export async function removeMigrationHook(
  deps: ChangeOrganizationDeps,
  { orgId, editor }: { orgId: string; editor: Editor },
): Promise<void> {
  await changeOrganization(deps, {
    orgId,
    editor,
    change: ({ migrationHook }) => {
      if (!migrationHook) throw new AppError(directoryErrors.migrationHookNotFound);
      return { migrationHook: null };
    },
  });
}
