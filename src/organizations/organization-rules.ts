import {
  defaultLoginSettings,
  defaultPasswordPolicy,
  type ExtensionSchemas,
  hasInvisibleCharacters,
  isLongerThan,
  type LoginSettings,
  type LoginSwitch,
  leastPasswordLength,
  loginSwitches,
  type MigrationHook,
  maxPasswordLength,
  type Organization,
  type PasswordPepper,
  type PasswordPolicy,
  type QuotaKind,
  type QuotaLimits,
  quotaKinds,
  refusedValue,
  type SignInPolicy,
  shownSwitches,
} from '#src/directory/index.js';
import { checkEach, Refusals } from '#src/platform/check-each.js';
import { requireSignInPolicy } from './sign-in-policy-rules.js';

/**
 * The settings of an organization that a client may set. An absent setting stays as it is. For a new organization, it
 * gets its default.
 */
export interface OrganizationChange {
  readonly name?: string;
  readonly domains?: readonly string[];
  readonly unverifiedDomains?: readonly string[];
  readonly passwordPolicy?: Partial<PasswordPolicy>;
  /** An empty logoUrl, faviconUrl or brandColor removes it. */
  readonly login?: Partial<LoginSettings>;
  /** Replaces the whole policy. An empty one leaves everything to the instance. */
  readonly signInPolicy?: SignInPolicy;
  readonly plainScimErrors?: boolean;
  readonly uniqueExternalId?: boolean;
  /** Checked before (`extension-schema-rules.ts`). */
  readonly extensionSchemas?: ExtensionSchemas;
  /** Null is the quota of the instance. */
  readonly quotas?: Readonly<Partial<Record<QuotaKind, number | null>>>;
  /** Checked before (`migration-hook.ts`). Null removes it. */
  readonly migrationHook?: MigrationHook | null;
  /** Checked before (`password-pepper.ts`). Null removes it. */
  readonly passwordPepper?: PasswordPepper | null;
}

type ChangeableOrganization = Pick<
  Organization,
  | 'name'
  | 'domains'
  | 'unverifiedDomains'
  | 'passwordPolicy'
  | 'login'
  | 'signInPolicy'
  | 'plainScimErrors'
  | 'uniqueExternalId'
  | 'extensionSchemas'
  | 'quotas'
  | 'migrationHook'
  | 'passwordPepper'
>;

const maxName = 200;
const maxDomains = 100;
const organizationId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/;
const domainName =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * Returns the identifier of an import after checking it: 1 to 100 characters that need no escape in a URI (RFC 3986
 * section 2.3).
 */
export function requireOrganizationId(id: string): string {
  if (!organizationId.test(id)) {
    const detail = 'id must be 1 to 100 letters, digits, or . _ ~ - and begin with a letter or digit';
    throw refusedValue('id', 'identifier', detail, { most: 100 });
  }
  return id;
}

/** Returns a display name after checking it: 1 to 200 characters, no control characters, no space at either end. */
export function requireName(attribute: string, name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw refusedValue(attribute, 'required', `${attribute} is required`);
  if (isLongerThan(trimmed, maxName)) {
    const detail = `${attribute} has more than ${maxName} characters`;
    throw refusedValue(attribute, 'tooLong', detail, { most: maxName });
  }
  if (/[\p{Cc}\p{Cs}]/u.test(trimmed))
    throw refusedValue(attribute, 'controlCharacters', `${attribute} has control characters`);
  if (hasInvisibleCharacters(trimmed))
    throw refusedValue(attribute, 'invisibleCharacters', `${attribute} has invisible characters`);
  return trimmed;
}

/** Returns the organization after a change. Values are checked. Domains are in lower case, and each appears once. */
export function changedOrganization(
  current: ChangeableOrganization,
  change: OrganizationChange,
): ChangeableOrganization {
  const { domains, unverified, quotas, name, passwordPolicy, login, signInPolicy } = checkEach({
    domains: () => (change.domains === undefined ? current.domains : requireDomains(change.domains)),
    unverified: () =>
      change.unverifiedDomains === undefined
        ? current.unverifiedDomains
        : requireDomains(change.unverifiedDomains),
    quotas: () => requireQuotas({ ...current.quotas, ...change.quotas }),
    name: () => requireName('name', change.name ?? current.name),
    passwordPolicy: () => requirePolicy({ ...current.passwordPolicy, ...change.passwordPolicy }),
    login: () => requireLogin({ ...current.login, ...change.login }),
    signInPolicy: () =>
      change.signInPolicy === undefined ? current.signInPolicy : requireSignInPolicy(change.signInPolicy),
  });
  const uniqueExternalId = change.uniqueExternalId ?? current.uniqueExternalId ?? false;
  const extensionSchemas = change.extensionSchemas ?? current.extensionSchemas;
  const migrationHook = change.migrationHook === undefined ? current.migrationHook : change.migrationHook;
  const passwordPepper = change.passwordPepper === undefined ? current.passwordPepper : change.passwordPepper;
  const plainScimErrors = change.plainScimErrors ?? current.plainScimErrors ?? false;
  return {
    name,
    domains,
    unverifiedDomains: unverified.filter((name) => !domains.includes(name)),
    passwordPolicy,
    login,
    ...(signInPolicy !== undefined && { signInPolicy }),
    ...((plainScimErrors || current.plainScimErrors !== undefined) && { plainScimErrors }),
    ...((uniqueExternalId || current.uniqueExternalId !== undefined) && { uniqueExternalId }),
    ...(extensionSchemas !== undefined && { extensionSchemas }),
    ...((current.quotas ?? change.quotas) !== undefined && { quotas }),
    ...(migrationHook !== undefined && { migrationHook }),
    ...(passwordPepper !== undefined && { passwordPepper }),
  };
}

/** The settings of an organization without any given values. */
export const blankOrganization = {
  name: '',
  domains: [],
  unverifiedDomains: [],
  passwordPolicy: defaultPasswordPolicy,
  login: defaultLoginSettings,
};

function requireDomains(domains: readonly string[]): string[] {
  if (domains.length > maxDomains) {
    const detail = `domains has more than ${maxDomains} values`;
    throw refusedValue('domains', 'tooMany', detail, { most: maxDomains });
  }
  const normalized = domains.map((domain) => domain.trim().toLowerCase());
  const wrong = normalized.findIndex((domain) => !domainName.test(domain));
  if (wrong >= 0)
    throw refusedValue(`domains[${wrong}]`, 'domainName', `domains[${wrong}] is not a domain name`);
  return [...new Set(normalized)];
}

/** Returns a domain name in lower case, after checking it. */
export function requireDomainName(name: string): string {
  const normalized = name.trim().toLowerCase();
  if (!domainName.test(normalized))
    throw refusedValue('domainName', 'domainName', 'domainName is not a domain name');
  return normalized;
}

function requireLogin(login: LoginSettings): LoginSettings {
  const { logoUrl, faviconUrl, brandColor = '' } = login;
  const { logo, favicon, color } = checkEach({
    logo: () => picture('logoUrl', logoUrl),
    favicon: () => picture('faviconUrl', faviconUrl),
    color: () => brandColor !== '' && { brandColor: requireColor(brandColor) },
  });
  return { ...storedSwitches(login), ...logo, ...favicon, ...color };
}

/** The switches that differ from what an absent one means. `selfRegistration` is never absent. */
function storedSwitches(login: LoginSettings): LoginSettings {
  const { selfRegistration, ...others } = shownSwitches(login);
  const differing = Object.entries(others).filter(
    ([name, isOn]) => isOn !== loginSwitches[name as LoginSwitch],
  );
  return { selfRegistration, ...Object.fromEntries(differing) };
}

/** A logo that this service serves at an address of the machine itself, as in a trial. */
const ownLogo =
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/(?:[\w.~-]+\/)*login\/logos\/[\w.~-]{1,100}\/[0-9a-f]{64}\.webp$/;

function picture(name: 'logoUrl' | 'faviconUrl', url = ''): Partial<LoginSettings> {
  if (url === '') return {};
  const isPicture = /^https:\/\/[a-z0-9.-]+(:\d+)?\//i.test(url) || ownLogo.test(url);
  if (url.length > 2000 || !isPicture || !URL.canParse(url)) {
    const detail = `login.${name} is not an https URL of at most 2000 characters`;
    throw refusedValue(`login.${name}`, 'httpsAddress', detail, { most: 2000 });
  }
  return { [name]: url };
}

function requireColor(color: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(color)) {
    const detail = 'login.brandColor must be # and six hexadecimal digits, such as #3047c8';
    throw refusedValue('login.brandColor', 'color', detail);
  }
  return color.toLowerCase();
}

/** Returns the quotas that are numbers. */
function requireQuotas(given: Readonly<Partial<Record<QuotaKind, number | null>>>): Partial<QuotaLimits> {
  const quotas: Partial<Record<QuotaKind, number>> = {};
  const refusals = new Refusals();
  for (const kind of quotaKinds) {
    const limit = given[kind] ?? undefined;
    if (limit === undefined) continue;
    if (!Number.isSafeInteger(limit) || limit < 0) {
      const detail = `quotas.${kind} must be an integer of at least 0`;
      refusals.add(refusedValue(`quotas.${kind}`, 'tooSmall', detail, { least: 0 }));
    }
    quotas[kind] = limit;
  }
  refusals.throwIfAny();
  return quotas;
}

function requirePolicy(policy: PasswordPolicy): PasswordPolicy {
  const { minLength } = policy;
  if (!Number.isInteger(minLength) || minLength < leastPasswordLength || minLength > maxPasswordLength) {
    const detail = `passwordPolicy.minLength must be an integer from ${leastPasswordLength} to ${maxPasswordLength}`;
    throw minLength > maxPasswordLength
      ? refusedValue('passwordPolicy.minLength', 'tooLarge', detail, { most: maxPasswordLength })
      : refusedValue('passwordPolicy.minLength', 'tooSmall', detail, { least: leastPasswordLength });
  }
  return policy;
}
