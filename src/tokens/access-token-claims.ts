/** The actor that acts for a subject, and the actors through which it acts (RFC 8693 section 4.1). */
export interface Actor {
  readonly iss: string;
  readonly sub: string;
  readonly act?: Actor;
}

/** A token from which another was made. Its revocation revokes the other. */
export interface TokenOrigin {
  readonly jti: string;
  readonly sub: string;
  readonly family?: string;
  readonly session?: string;
  /** Seconds since 1970, to the millisecond. */
  readonly issuedAt: number;
  /** Whether it was made by exchange itself, so that no sign-in began with it. The tokens that it came of are other origins. */
  readonly exchanged?: true;
}

/** The content of an access token: the claims of RFC 9068 section 2.2, and those that this service adds. */
export interface AccessTokenClaims {
  /** Identifier of the token. That of a JWT also tells the exact time of issue and the family. */
  readonly jti: string;
  /** The user that the token stands for. */
  readonly sub: string;
  /** The organization of the user. */
  readonly org: string;
  readonly clientId: string;
  readonly audience: readonly string[];
  /** Space-delimited. */
  readonly scope: string;
  /** Seconds since 1970, to the millisecond. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The refresh family to which the token belongs. */
  readonly family?: string;
  /** The session to which the token belongs. */
  readonly session?: string;
  /** The actor that acts for the subject. */
  readonly act?: Actor;
  /** All tokens from which it was made by exchange. It ends with each of them. */
  readonly origins?: readonly TokenOrigin[];
  /** Single claims that userinfo returns besides those of the scope. */
  readonly claims?: readonly string[];
  /** When the person, or else the actor, authenticated, in seconds since 1970 (RFC 9068 section 2.2.1). */
  readonly authTime?: number;
}

/** What a new token says: its claims, and the organization of the client, which only a JWT names. */
export type NewAccessToken = AccessTokenClaims & { readonly clientOrgId: string };

/** The claim with the organization of the user. Every JWT and every introspection has it. */
export const userOrganizationClaim = 'urn:service:iam:user:resourceowner:id';
/** The claim with the organization of the client. Every JWT and every introspection has it. */
export const clientOrganizationClaim = 'urn:service:iam:client:resourceowner:id';
