/**
 * The scope of access tokens with which a person administers: SCIM and `/admin/v1` accept no other tokens of people. Only
 * applications that an owner of the instance has marked may request it.
 */
export const adminScope = 'urn:service:iam:admin';

/** What this file asks of an application. */
interface Administering {
  readonly orgId: string;
  readonly administers?: boolean;
}

/** Whether the application may request {@link adminScope} at all. */
export function mayRequestAdministration({ administers }: Pick<Administering, 'administers'>): boolean {
  return administers === true;
}

/**
 * Whether people of the organization administer through the application. The console serves every organization. Any other
 * application serves its own alone: it would otherwise hold tokens that administer the organizations of others.
 */
export function administersFor({ administers, orgId: owner }: Administering, orgId: string): boolean {
  return administers === true && (owner === orgId || owner === instanceOwned);
}

/** The owner of what belongs to the instance and to no organization. No organization has this identifier. */
export const instanceOwned = '';
