import { createHash } from 'node:crypto';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { type ChangeOrganizationDeps, changeOrganization } from '../change-organization.js';
import type { Quotas } from '../quotas/index.js';
import { requireOrganization } from '../require-organization.js';
import { encodeLogo, requireEncodedLogo } from './encode-logo.js';
import { logoAddress, logoDigest } from './logo-address.js';
import type { LogosStore } from './logos.store.js';

/** The one fair queue of the threads of Node.js. */
export interface PictureThreads {
  run<T>(kind: 'picture', holder: string, work: () => Promise<T>): Promise<T>;
}

interface SetLogoDeps extends ChangeOrganizationDeps {
  readonly logos: LogosStore;
  readonly quotas: Pick<Quotas, 'changed' | 'within'>;
  readonly config: { readonly baseUrl: string };
  readonly threads: PictureThreads;
}

/** A logo as it is stored: a WebP that has nothing but pixels. */
export interface Logo {
  readonly digest: string;
  readonly bytes: Buffer;
}

/**
 * Makes an uploaded picture the logo of an organization, in place of the one before. The same picture again changes nothing.
 * @throws AppError `directory.pictureInvalid`, `directory.quotaExceeded`, `keys.threadsSaturated`, and those of {@link changeOrganization}
 */
export async function setLogo(
  deps: SetLogoDeps,
  { orgId, uploaded, editor }: { orgId: string; uploaded: Buffer; editor: Editor },
): Promise<Organization> {
  const { logos, quotas, config } = deps;
  const logo = logoOf(await deps.threads.run('picture', orgId, () => encodeLogo(uploaded)));
  const logoUrl = logoAddress(config.baseUrl, { orgId, digest: logo.digest });
  const current = await requireOrganization(deps.organizations.find, orgId);
  if (current.login.logoUrl === logoUrl && (await logos.find(orgId, logo.digest)) !== undefined)
    return current;
  const set = () =>
    changeOrganization(deps, {
      orgId,
      change: { login: { logoUrl } },
      editor,
      alongside: (transaction) => logos.put(orgId, logo, transaction),
    });
  // One that takes the place of another needs no place of its own.
  if ((await logos.count(orgId)) > 0) return set();
  return quotas.within(orgId, { metadata: 1 }, set);
}

/**
 * The logo that a file of an export has, as it is.
 * @throws AppError `directory.pictureInvalid`, `keys.threadsSaturated`
 */
export async function importedLogo(
  threads: PictureThreads,
  { orgId, bytes }: { orgId: string; bytes: Buffer },
): Promise<Logo> {
  await threads.run('picture', orgId, () => requireEncodedLogo(bytes));
  return logoOf(bytes);
}

/**
 * The uploaded logo that an organization shows. Undefined if it shows none, or one of another address.
 */
export async function shownLogo(
  logos: Pick<LogosStore, 'find'>,
  organization: Organization,
): Promise<Buffer | undefined> {
  const digest = logoDigest(organization);
  return digest === undefined ? undefined : logos.find(organization.id, digest);
}

/**
 * The bytes of an uploaded logo, as long as its organization shows it.
 * @throws AppError `directory.logoNotFound`
 */
export async function findLogo(
  deps: { readonly logos: LogosStore; readonly find: (orgId: string) => Promise<Organization | undefined> },
  { orgId, digest }: { orgId: string; digest: string },
): Promise<Buffer> {
  const organization = await deps.find(orgId);
  const isShown = organization !== undefined && logoDigest(organization) === digest;
  const bytes = isShown ? await deps.logos.find(orgId, digest) : undefined;
  if (bytes === undefined) throw new AppError(directoryErrors.logoNotFound);
  return bytes;
}

function logoOf(bytes: Buffer): Logo {
  return { digest: createHash('sha256').update(bytes).digest('hex'), bytes };
}
