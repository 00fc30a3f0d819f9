import {
  directoryErrors,
  hasInvisibleCharacters,
  hasUnusableCharacters,
  isLongerThan,
  refusedValue,
} from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';

/**
 * A trust of a service user in JWTs of an outside issuer, such as Microsoft Entra, GitHub Actions or a Kubernetes cluster (RFC
 * 7523 section 3). Whoever has a JWT of this issuer, subject and audience is the service user, without a secret.
 */
export interface FederatedCredential {
  readonly id: string;
  /** Its `iss`: the address whose discovery document names the keys (OpenID Connect Discovery section 4). */
  readonly issuer: string;
  /** Its `sub`, without wildcards. */
  readonly subject: string;
  /** Its `aud`. */
  readonly audience: string;
  readonly created: Date;
  /** What people call it. Absent if it has no label. */
  readonly label?: string;
}

/** What an administrator says about a trust. */
export interface FederatedCredentialSettings {
  readonly issuer: string;
  readonly subject: string;
  /** Absent: the issuer of this service. */
  readonly audience?: string | undefined;
  readonly label?: string | undefined;
}

export const maxFederatedCredentials = 20;
/** The longest issuer, subject and audience, in characters. */
export const maxFederatedText = 500;

/**
 * Makes a trust.
 * @param thisIssuer the issuer of this service. It is no outside issuer
 * @throws AppError `directory.valueInvalid`
 */
export function newFederatedCredential(
  { issuer, subject, audience = '', label = '' }: FederatedCredentialSettings,
  { now, thisIssuer }: { readonly now: Date; readonly thisIssuer: string },
): FederatedCredential {
  const checked = checkEach({
    issuer: () => requireIssuer(issuer, thisIssuer),
    subject: () => requireText('subject', subject),
    audience: () => (audience === '' ? thisIssuer : requireText('audience', audience)),
    label: () => label.trim() !== '' && { label: requireName('label', label) },
  });
  return {
    id: newId(),
    issuer: checked.issuer,
    subject: checked.subject,
    audience: checked.audience,
    created: now,
    ...checked.label,
  };
}

/**
 * A trust that another service had. The keys of its issuer are read when the first JWT arrives.
 * @param thisIssuer the issuer of this service
 * @throws AppError `directory.valueInvalid`
 */
export function movedFederatedCredential(
  { created, ...settings }: FederatedCredentialSettings & { readonly created: Date },
  thisIssuer: string,
): FederatedCredential {
  return newFederatedCredential(settings, { now: created, thisIssuer });
}

/** @throws AppError `directory.federatedCredentialExists`, `directory.federatedCredentialLimit` */
export function withFederatedCredential(
  trusts: readonly FederatedCredential[],
  added: FederatedCredential,
): FederatedCredential[] {
  const isSame = ({ issuer, subject, audience }: FederatedCredential) =>
    issuer === added.issuer && subject === added.subject && audience === added.audience;
  if (trusts.some(isSame)) throw new AppError(directoryErrors.federatedCredentialExists);
  if (trusts.length >= maxFederatedCredentials) throw new AppError(directoryErrors.federatedCredentialLimit);
  return [...trusts, added];
}

/** @throws AppError `directory.federatedCredentialNotFound` */
export function withoutFederatedCredential(
  trusts: readonly FederatedCredential[],
  removed: string,
): FederatedCredential[] {
  const left = trusts.filter(({ id }) => id !== removed);
  if (left.length === trusts.length) throw new AppError(directoryErrors.federatedCredentialNotFound);
  return left;
}

/** The issuer as it was given, because tokens must repeat it exactly. */
function requireIssuer(issuer: string, thisIssuer: string): string {
  const text = requireText('issuer', issuer);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (!isPlain || /[?#\s]/.test(text)) {
    const detail = 'issuer must be an https address without a query and a fragment';
    throw refusedValue('issuer', 'httpsAddress', detail, { most: maxFederatedText });
  }
  if (text.replace(/\/$/, '') === thisIssuer)
    throw refusedValue('issuer', 'issuerOwn', 'issuer must not be this service');
  return text;
}

function requireText(name: string, value: string): string {
  const isUnusable = isLongerThan(value, maxFederatedText) || hasUnusableCharacters(value);
  if (value.trim() === value && value !== '' && !isUnusable && !hasInvisibleCharacters(value)) return value;
  const detail = `${name} must have 1 to ${maxFederatedText} visible characters`;
  if (value === '') throw refusedValue(name, 'tooShort', detail, { least: 1 });
  if (isLongerThan(value, maxFederatedText))
    throw refusedValue(name, 'tooLong', detail, { most: maxFederatedText });
  throw refusedValue(name, value.trim() === value ? 'invisibleCharacters' : 'blanks', detail);
}
