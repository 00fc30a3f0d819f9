import { createHash } from 'node:crypto';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { type ChangeOrganizationDeps, changeOrganization } from '../change-organization.js';
import type { Quotas } from '../quotas/index.js';
import { encodeLogo } from './encode-logo.js';
import type { LogosStore } from './logos.store.js';

interface SetLogoDeps extends ChangeOrganizationDeps {
  readonly logos: LogosStore;
  readonly quotas: Pick<Quotas, 'changed' | 'within'>;
  readonly config: { readonly baseUrl: string };
  /** The one fair queue of the threads of Node.js. */
  readonly threads: {
    run<T>(kind: 'picture', holder: string, work: () => Promise<T>): Promise<T>;
  };
}

/** The path at which a logo is served. It changes with the content, so that browsers may keep it for ever. */
export const logoPath = '/login/logos';

/**
 * Makes an uploaded picture the logo of an organization, in place of the one before.
 * @throws AppError `directory.pictureInvalid`, `directory.quotaExceeded`, `keys.threadsSaturated`, and those of {@link changeOrganization}
 */
export async function setLogo(
  deps: SetLogoDeps,
  { orgId, uploaded, editor }: { orgId: string; uploaded: Buffer; editor: Editor },
): Promise<Organization> {
  const { logos, quotas, config } = deps;
  const { bytes } = await deps.threads.run('picture', orgId, () => encodeLogo(uploaded));
  const digest = createHash('sha256').update(bytes).digest('hex');
  const logoUrl = `${config.baseUrl}${logoPath}/${orgId}/${digest}.webp`;
  const set = () =>
    changeOrganization(deps, {
      orgId,
      change: { login: { logoUrl } },
      editor,
      alongside: (transaction) => logos.put(orgId, { digest, bytes }, transaction),
    });
  // One that takes the place of another needs no place of its own.
  if ((await logos.count(orgId)) > 0) return set();
  return quotas.within(orgId, { metadata: 1 }, set);
}

/** Removes the logo, uploaded or not. @throws AppError those of {@link changeOrganization} */
export function removeLogo(
  deps: Pick<SetLogoDeps, 'logos'> & ChangeOrganizationDeps,
  { orgId, editor }: { orgId: string; editor: Editor },
): Promise<Organization> {
  return changeOrganization(deps, {
    orgId,
    change: { login: { logoUrl: '' } },
    editor,
    alongside: (transaction) => deps.logos.remove(orgId, transaction),
  });
}

/**
 * The bytes of an uploaded logo, as long as the organization has it.
 * @throws AppError `directory.logoNotFound`
 */
export async function findLogo(
  deps: { readonly logos: LogosStore; readonly find: (orgId: string) => Promise<Organization | undefined> },
  { orgId, digest }: { orgId: string; digest: string },
): Promise<Buffer> {
  const organization = await deps.find(orgId);
  const isPresent = organization?.login.logoUrl?.endsWith(`${logoPath}/${orgId}/${digest}.webp`) === true;
  const bytes = isPresent ? await deps.logos.find(orgId, digest) : undefined;
  if (bytes === undefined) throw new AppError(directoryErrors.logoNotFound);
  return bytes;
}
