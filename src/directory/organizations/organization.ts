import type { QuotaLimits } from '../quotas/quota.js';

/** A tenant with its users and the rules for them. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Verified domain names. No other organization has them. The first is the primary one. */
  readonly domains: readonly string[];
  /** Domain names without proof of ownership. The service does not rely on them. */
  readonly unverifiedDomains: readonly string[];
  readonly passwordPolicy: PasswordPolicy;
  readonly login: LoginSettings;
  /** Quotas that differ from those of the instance. Only instance owners change them. */
  readonly quotas?: Partial<QuotaLimits>;
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** The rules for a password. In addition, a password has at most 200 characters. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly upper: boolean;
  readonly lower: boolean;
  readonly digit: boolean;
  readonly symbol: boolean;
}

/** How users of the organization sign in. */
export interface LoginSettings {
  /** Whether anyone may create an account. Off by default. */
  readonly selfRegistration: boolean;
  /** The https address of an image that the pages show. */
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
