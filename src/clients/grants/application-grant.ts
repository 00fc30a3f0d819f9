/** An organization lets an application of another organization serve its people, without asking each of them. */
export interface ApplicationGrant {
  /** Identifies the grant in its events. */
  readonly id: string;
  /** The organization that grants. */
  readonly orgId: string;
  readonly clientId: string;
  readonly created: Date;
}

/** The key of a grant in the cache. A client_id has no space. */
export function applicationGrantKey({
  orgId,
  clientId,
}: Pick<ApplicationGrant, 'orgId' | 'clientId'>): string {
  return `${clientId} ${orgId}`;
}
