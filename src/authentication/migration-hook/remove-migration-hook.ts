import type { Editor } from '#src/audit/event.js';
import { directoryErrors } from '#src/directory/index.js';
import { type ChangeOrganizationDeps, changeOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';

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
