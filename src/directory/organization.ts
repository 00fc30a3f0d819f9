import type { ExtensionSchemas } from './extension-schema.js';
import type { MigrationHook } from './migration-hook.js';
import type { PasswordPepper } from './password-pepper.js';
import type { QuotaLimits } from './quota.js';
import type { SignInPolicy } from './sign-in-policy.js';

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
  /** What sign-ins must prove. Absent in an organization without a policy. */
  readonly signInPolicy?: SignInPolicy;
  /** Whether error bodies of SCIM have only what RFC 7644 section 3.12 names. Absent means no. */
  readonly plainScimErrors?: boolean;
  /** The attributes of users that the organization has registered. Absent if it never had any. */
  readonly extensionSchemas?: ExtensionSchemas;
  /** Whether no two users may have the same externalId. Absent means no. */
  readonly uniqueExternalId?: boolean;
  /** Quotas that differ from those of the instance. Only instance owners change them. */
  readonly quotas?: Partial<QuotaLimits>;
  /** Who confirms the passwords of people who have none here. Null after a removal. */
  readonly migrationHook?: MigrationHook | null;
  /** The pepper of imported password hashes. Null after a removal. */
  readonly passwordPepper?: PasswordPepper | null;
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
  /** When an import added the organization, if its file says that the organization is older. */
  readonly imported?: Date;
}

/** The fewest characters of a password, whatever an organization configures (NIST SP 800-63B-4 section 3.1.1.2). */
export const leastPasswordLength = 8;

/** The most characters of a password, for every policy. */
export const maxPasswordLength = 200;

/** Characters of a password as a device may type it: a character has at most 4 in normalization form D. */
export const maxTypedPassword = 4 * maxPasswordLength;

/**
 * The rules for a password. In addition, a password has at most 200 characters and is not a common one. An organization that
 * follows NIST SP 800-63B-4 sets `minLength` to 15 and turns the other rules off.
 */
export interface PasswordPolicy {
  /** From 8 to 200. */
  readonly minLength: number;
  readonly upper: boolean;
  readonly lower: boolean;
  readonly digit: boolean;
  readonly symbol: boolean;
}

/** Returns the policy with at least 8 characters. Earlier versions allowed 6, in documents and in their exports. */
export function raisedPolicy(policy: PasswordPolicy): PasswordPolicy {
  return policy.minLength < leastPasswordLength ? { ...policy, minLength: leastPasswordLength } : policy;
}

/** How users of the organization sign in. */
export interface LoginSettings {
  /** Whether anyone may create an account. Off by default. */
  readonly selfRegistration: boolean;
  /** Whether a person whose address nobody proved must prove it before a session begins. Absent means no. */
  readonly verifyEmail?: boolean;
  /** Whether people are told by mail of a sign-in at a browser that is new to them. Absent means yes, also for the next two. */
  readonly notifyNewBrowser?: boolean;
  /** Whether they are told of what they change about their own sign-in. */
  readonly notifyChanges?: boolean;
  /** Whether they are told of what an administrator does to their account. */
  readonly notifyAdministration?: boolean;
  /** The https address of an image that the pages show. */
  readonly logoUrl?: string;
  /** The https address of the icon that browsers show beside the title of the pages. */
  readonly faviconUrl?: string;
  /** The colour of buttons and links, as `#rrggbb`. The pages adapt it where its contrast is too low. */
  readonly brandColor?: string;
}

export const defaultLoginSettings: LoginSettings = { selfRegistration: false };

/** The settings of {@link LoginSettings} that are yes or no, and what an absent one means. */
export const loginSwitches = {
  selfRegistration: false,
  verifyEmail: false,
  notifyNewBrowser: true,
  notifyChanges: true,
  notifyAdministration: true,
} as const satisfies Partial<Record<keyof LoginSettings, boolean>>;

export type LoginSwitch = keyof typeof loginSwitches;

/** Returns all switches of the settings, with what the absent ones mean. */
export function shownSwitches(login: LoginSettings): Record<LoginSwitch, boolean> {
  const names = Object.keys(loginSwitches) as LoginSwitch[];
  return Object.fromEntries(names.map((name) => [name, login[name] ?? loginSwitches[name]])) as Record<
    LoginSwitch,
    boolean
  >;
}

export const defaultPasswordPolicy: PasswordPolicy = {
  minLength: 8,
  upper: true,
  lower: true,
  digit: true,
  symbol: true,
};
