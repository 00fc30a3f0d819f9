import type { TimedProof } from '#src/authentication/proofs/index.js';
import type { RequestedClaims } from '#src/authorization/requested-claims.js';

/** What an authorization code stands for. A client can redeem it once (RFC 6749 section 4.1.2). */
export interface AuthorizationGrant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly userId: string;
  readonly orgId: string;
  readonly sessionId: string;
  /** Space-delimited. */
  readonly scope: string;
  /** Single claims that the application asked for. */
  readonly claims?: RequestedClaims;
  readonly nonce?: string;
  /** The S256 challenge of PKCE (RFC 7636). */
  readonly codeChallenge?: string;
  readonly authTime: Date;
  /** When the earliest of the proofs was given here. A revocation since then ends the grant. Absent: {@link authTime}. */
  readonly began?: Date;
  readonly amr: readonly string[];
  /** What the person proved. Absent in codes of an earlier version. */
  readonly proofs?: readonly TimedProof[];
  /** The level that counts for the policy of the organization. Processes of an earlier version read it. */
  readonly policyAcr?: string;
  /** The connections by which the person signed in. Absent if there is none. */
  readonly connectionIds?: readonly string[];
  /** Identifies the refresh family, and revokes everything that was issued for the code. */
  readonly familyId: string;
}
