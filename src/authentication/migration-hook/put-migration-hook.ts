import type { Editor } from '#src/audit/event.js';
import { hookTimeouts, type MigrationHook, requireHookUrl } from '#src/directory/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import { type ChangeOrganizationDeps, changeOrganization } from '#src/organizations/index.js';
import { newSecret } from '#src/platform/ids.js';

interface PutMigrationHook {
  readonly orgId: string;
  readonly url: string;
  /** Absent: stays as it is. */
  readonly timeoutMs?: number | undefined;
  /** Makes another secret. The former one ends at once. */
  readonly renewSecret?: boolean | undefined;
  readonly editor: Editor;
}

/**
 * Sets the migration hook of an organization. Returns the secret if it was made, this once. The store has it sealed.
 * @throws AppError `directory.valueInvalid` and the errors of {@link changeOrganization}
 */
export async function putMigrationHook(
  deps: ChangeOrganizationDeps & { readonly hookSealer: Sealer },
  { orgId, url, timeoutMs, renewSecret = false, editor }: PutMigrationHook,
): Promise<{ hook: MigrationHook; secret?: string }> {
  const checked = requireHookUrl(url);
  const fresh = newSecret();
  const sealed = deps.hookSealer.seal(Buffer.from(fresh)).toString('base64url');
  const { migrationHook } = await changeOrganization(deps, {
    orgId,
    editor,
    change: ({ migrationHook: current }) => ({
      migrationHook: {
        url: checked,
        timeoutMs: timeoutMs ?? current?.timeoutMs ?? hookTimeouts.usual,
        sealedSecret: renewSecret || !current ? sealed : current.sealedSecret,
        created: current?.created ?? deps.clock.now(),
      },
    }),
  });
  if (!migrationHook) throw new Error('The organization has no migration hook after it was set');
  const isFresh = migrationHook.sealedSecret === sealed;
  return { hook: migrationHook, ...(isFresh && { secret: fresh }) };
}
