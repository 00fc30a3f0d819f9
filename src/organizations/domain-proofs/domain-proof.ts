/** That an organization proves a domain by a TXT record, or has proved it. */
export interface DomainProof {
  readonly orgId: string;
  readonly domainName: string;
  /** The random part of the record. It is no secret: everybody can read the record. */
  readonly token: string;
  readonly created: Date;
  /** When the resolver was asked last. */
  readonly checked?: Date;
  /** When the record was found first. Absent: the domain is not verified by this proof. */
  readonly proved?: Date;
  /** Since when the record of a proved domain is missing. */
  readonly failingSince?: Date;
  /** When the record of a proved domain is looked for again. */
  readonly nextCheck?: Date;
}

/** The TXT record that proves a domain. The name has a label of its own, so that the domain needs no other record (RFC 8552 section 1.1). */
export function recordOf({ domainName, token }: Pick<DomainProof, 'domainName' | 'token'>): {
  readonly name: string;
  readonly value: string;
} {
  return { name: `_muster-challenge.${domainName}`, value: `muster-domain-verification=${token}` };
}

/** How often the record of a proved domain is looked for, in milliseconds. */
export const checkEveryMs = 24 * 3_600_000;
/** How long a record may be missing before the domain counts no more, in milliseconds. */
export const graceMs = 7 * 24 * 3_600_000;
/** The shortest time between two questions of an owner about one domain, in milliseconds. */
export const pauseMs = 10_000;
