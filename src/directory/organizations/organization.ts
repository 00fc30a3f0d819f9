/** A tenant: its users, and the rules for them. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Domain names that nobody else has, the first is the primary one. */
  readonly domains: readonly string[];
  /** Domain names that nobody showed to own: nothing relies on them. */
  readonly unverifiedDomains: readonly string[];
  readonly passwordPolicy: PasswordPolicy;
  readonly login: LoginSettings;
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** What a password must have. At most 200 characters always. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly upper: boolean;
  readonly lower: boolean;
  readonly digit: boolean;
  readonly symbol: boolean;
}

/** How people of the organization sign in. */
export interface LoginSettings {
  /** Whether anyone may make an account of their own. Off unless somebody switches it on. */
  readonly selfRegistration: boolean;
  /** An https address of a picture that pages show. */
  readonly logoUrl?: string;
}

export const defaultLoginSettings: LoginSettings = { selfRegistration: false };

export const defaultPasswordPolicy: PasswordPolicy = {
  minLength: 8,
  upper: true,
  lower: true,
  digit: true,
  symbol: true,
};
