/** What a person lets an application have. */
export interface Consent {
  readonly orgId: string;
  readonly userId: string;
  readonly clientId: string;
  /** The scopes to which the person consented, sorted. */
  readonly scopes: readonly string[];
  /** When the person first consented. Tokens from before do not count. */
  readonly created: Date;
  readonly lastModified: Date;
}

/** The key of a consent in the cache. A client_id has no space. */
export function consentKey({ userId, clientId }: Pick<Consent, 'userId' | 'clientId'>): string {
  return `${clientId} ${userId}`;
}
