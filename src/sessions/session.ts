/** How a person proved their identity (RFC 8176). */
export type AuthenticationMethod = 'pwd' | 'otp' | 'mfa';

/** A person's sign-in at one user agent. An agent may hold one session for each of several people. */
export interface Session {
  /** The public identifier, which is the `sid` of ID tokens. */
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  /** Shown when the person chooses an account. */
  readonly userName: string;
  readonly displayName: string;
  /** When the person last authenticated. */
  readonly authTime: Date;
  readonly amr: readonly AuthenticationMethod[];
  readonly created: Date;
  /** When the session ends, unless it is used again. */
  readonly expires: Date;
}
