/** How somebody proved who they are (RFC 8176). */
export type AuthenticationMethod = 'pwd' | 'otp' | 'mfa';

/** One person signed in at one user agent. An agent may hold several, one for each person. */
export interface Session {
  /** Public identifier: the `sid` of ID tokens. */
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  /** As it is shown when choosing an account. */
  readonly userName: string;
  readonly displayName: string;
  /** When the person last proved who they are. */
  readonly authTime: Date;
  readonly amr: readonly AuthenticationMethod[];
  readonly created: Date;
  /** When it ends unless it is used again. */
  readonly expires: Date;
}
