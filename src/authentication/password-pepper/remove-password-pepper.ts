import type { Editor } from '#src/audit/event.js';
import { directoryErrors } from '#src/directory/index.js';
import { type ChangeOrganizationDeps, changeOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';

/**
 * Removes the pepper of an organization. A hash that needs it matches no password from then on.
 * @throws AppError `directory.passwordPepperNotFound` and the errors of {@link changeOrganization}
 */
export async function removePasswordPepper(
  deps: ChangeOrganizationDeps,
  { orgId, editor }: { orgId: string; editor: Editor },
): Promise<void> {
  await changeOrganization(deps, {
    orgId,
    editor,
    change: ({ passwordPepper }) => {
      if (!passwordPepper) throw new AppError(directoryErrors.passwordPepperNotFound);
      return { passwordPepper: null };
    },
  });
}
