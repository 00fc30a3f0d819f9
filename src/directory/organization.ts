/** A tenant: its users, and the rules for them. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Domain names, the first is the primary one. */
  readonly domains: readonly string[];
  readonly passwordPolicy: PasswordPolicy;
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

export const defaultPasswordPolicy: PasswordPolicy = {
  minLength: 8,
  upper: true,
  lower: true,
  digit: true,
  symbol: true,
};
