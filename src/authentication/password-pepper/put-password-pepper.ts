import type { Editor } from '#src/audit/event.js';
import { type PasswordPepper, requirePepper } from '#src/directory/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import { type ChangeOrganizationDeps, changeOrganization } from '#src/organizations/index.js';

/**
 * Sets the pepper of an organization, and replaces the one that it had. The store has it sealed. The event names the setting alone.
 * @throws AppError `directory.valueInvalid` and the errors of {@link changeOrganization}
 */
export async function putPasswordPepper(
  deps: ChangeOrganizationDeps & { readonly pepperSealer: Sealer },
  { orgId, pepper, editor }: { orgId: string; pepper: string; editor: Editor },
): Promise<PasswordPepper> {
  const sealed = deps.pepperSealer.seal(Buffer.from(requirePepper(pepper))).toString('base64url');
  const passwordPepper = { sealed, created: deps.clock.now() };
  await changeOrganization(deps, { orgId, editor, change: { passwordPepper } });
  return passwordPepper;
}
