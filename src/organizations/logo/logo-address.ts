import type { Organization } from '#src/directory/index.js';

/** The path below which uploaded logos are served. */
export const logoPath = '/login/logos';

/** The address of an uploaded logo. It changes with the content, so that browsers may keep it for ever. */
export function logoAddress(baseUrl: string, { orgId, digest }: { orgId: string; digest: string }): string {
  return `${baseUrl}${logoPath}/${orgId}/${digest}.webp`;
}

/** The digest of the uploaded logo that an organization shows. Undefined if it shows none, or one of another address. */
export function logoDigest({ id, login }: Pick<Organization, 'id' | 'login'>): string | undefined {
  const { logoUrl = '' } = login;
  const digest = logoUrl.slice(-('.webp'.length + 64), -'.webp'.length);
  const isOwn = /^[0-9a-f]{64}$/.test(digest) && logoUrl.endsWith(`${logoPath}/${id}/${digest}.webp`);
  return isOwn ? digest : undefined;
}
