import type { WebauthnCredential, WebauthnCredentialsStore } from '#src/accounts/person-lists/index.js';

/** Returns the passkeys of a user, the oldest first. */
export async function listPasskeys(
  { webauthnCredentials }: { readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findMany'> },
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<WebauthnCredential[]> {
  const [list] = await webauthnCredentials.findMany(orgId, [id]);
  const timeOf = ({ created }: WebauthnCredential) => created?.getTime() ?? 0;
  return Object.values(list?.items ?? {}).sort((a, b) => timeOf(a) - timeOf(b));
}
