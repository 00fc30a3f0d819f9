import { AppError, type Violation, type ViolationParams } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';

/**
 * The rules that a value can break. Their names, behind `value.`, are stable for clients, and docs/errors.md has the sentences. The console
 * has a text for each in every language.
 */
export const rulesOfValues = {
  required: 'The value is missing',
  unknown: 'There is no such property',
  type: 'The value has another JSON type than `expected`',
  malformed: 'The value has not the form that the description of the API says',
  tooShort: 'The text has fewer than `least` characters',
  tooLong: 'The text has more than `most` characters',
  tooFew: 'The list or the object has fewer than `least` values',
  tooMany: 'The list or the object has more than `most` values',
  tooSmall: 'The number is less than `least`',
  tooLarge: 'The number is more than `most`',
  notOffered: 'The value is none of `allowed`',
  duplicate: 'A value is there twice',
  excluded: 'The value and `other` exclude each other',
  tooMuchText: 'All values together have more than `most` characters',
  controlCharacters: 'The text has control characters, or too many combining marks in a row',
  invisibleCharacters: 'The text has invisible characters, line breaks, or one that passes for another',
  blanks: 'The text has spaces',
  dotSegment: 'No address can have the identifier: it is `.` or `..`, or their percent-encoded form',
  identifier: 'The identifier has other characters than letters, digits and . _ ~ -',
  color: 'The colour is not # and six hexadecimal digits',
  httpsAddress:
    'The value is no https address with a host name, without credentials, of at most `most` characters',
  webAddress: 'The value is no http or https address',
  emailAddress: 'The value is no e-mail address',
  languageTag: 'The value is no language tag (BCP 47)',
  languageList: 'The value is neither a language tag nor a list of them with weights',
  timeZone: 'The value is no name of an IANA time zone',
  birthdate: 'The value is no date such as 1990-12-31, 0000-12-31 or 1990',
  moment: 'The value is no moment such as 2026-05-13T04:42:34Z',
  day: 'The value is no day such as 2026-12-31, or one of another century',
  notFuture: 'The moment is not in the future',
  tooLate: 'The moment is more than `days` days away',
  domainName: 'The value is no domain name',
  domainUnverified: 'A primary domain must be verified',
  base64: 'The value is not base64 of at most `most` bytes',
  unreachable: 'No factor that the policy allows reaches this level',
  groupUnknown: 'The organization has no such group',
  ownerUnknown: 'No active owner of the organization has this identifier',
  ownerUntested:
    'The owner has signed in neither with a passkey nor with the present password and authenticator app',
  roleElsewhere: 'The role cannot be given here',
  passwordUpper: 'The password lacks an upper-case letter',
  passwordLower: 'The password lacks a lower-case letter',
  passwordDigit: 'The password lacks a digit',
  passwordSymbol: 'The password lacks a symbol',
  passwordCommon: 'The password is one of those that attackers try first, or almost one of them',
  uriFragment: 'A redirect URI has neither fragment nor wildcard',
  uriAscii: 'A redirect URI is in ASCII. `ascii` is the form in ASCII',
  uriAbsolute: 'A redirect URI is an absolute URI in ASCII',
  uriCredentials: 'A redirect URI carries no credentials',
  uriNormal: 'A redirect URI is in its normal form, `normal`',
  uriHttps: 'A redirect URI is https, or http to the machine itself',
  uriOnlyHttps:
    'A redirect URI of this type is https, or http to the machine itself, without a scheme of its own',
  uriScheme: 'No application can have the scheme `scheme`',
  projectForGroups: 'groupsClaimSelection assigned needs a project',
  apiSignsNobodyIn: 'An API has neither redirect URIs nor response types',
  codeGrant: 'The response type code and the grant type authorization_code go together',
  implicitGrant: 'The response types of the implicit flow and the grant type implicit go together',
  dotlessScheme: 'With a redirect URI of a scheme without a dot, only the response type code is possible',
  refreshGrant: 'No grant of the application gives it refresh tokens',
  urn: 'The identifier of a schema is a URN of at most `most` letters, digits, and . _ - :',
  urnReserved: 'The URN belongs to SCIM or to this service',
  urnClash: 'The URN and `other` cannot both exist: one begins with the other',
  attributeName: 'The name of an attribute is 1 to 64 letters, digits, _ and -, and begins with a letter',
  attributeReserved: 'An attribute cannot have this name',
  attributeFlags: 'The type of the attribute does not allow this',
  issuerOwn: 'The issuer is this service',
  entraTenant: 'The issuer of Microsoft Entra stands for several tenants',
  certificate: 'The value is no certificate of an RSA key of 2048 to 8192 bits',
  keyPrivate: 'The key is private or symmetric',
  keyUse: 'The key is not for signatures',
  keyMalformed: 'The value is no public key',
  keyUnfit: 'The key is not RSA of 2048 to 8192 bits, EC on P-256, P-384 or P-521, or Ed25519',
  keyAlgorithm: 'The algorithm does not fit the key',
} as const;

export type ValueRule = keyof typeof rulesOfValues;

/** The identifier of a rule, as error bodies have it. */
export function ruleId(rule: ValueRule): string {
  return `value.${rule}`;
}

/**
 * The error of a value that breaks a rule.
 * @param path names the attribute as `detail` does: `login.logoUrl`, `redirectUris[2]`. Empty if several values do not fit each other
 * @param detail what is wrong, in English, without secrets
 */
export function refusedValue(
  path: string,
  rule: ValueRule,
  detail: string,
  params?: ViolationParams,
): AppError {
  const definition = ofMissing.has(rule) ? directoryErrors.valueMissing : directoryErrors.valueInvalid;
  return new AppError(definition, { detail, violations: [violation(path, rule, detail, params)] });
}

const ofMissing: ReadonlySet<ValueRule> = new Set(['required', 'projectForGroups']);

/** A value that breaks a rule. */
export function violation(
  path: string,
  rule: ValueRule,
  detail: string,
  params?: ViolationParams,
): Violation {
  return { path: segmentsOf(path), id: ruleId(rule), ...(params && { params }), detail };
}

/** A URN is one name: it has dots of its own. */
function segmentsOf(path: string): string[] {
  if (path === '') return [];
  return path.startsWith('urn:') ? [path] : path.replace(/\[(\d+)\]/g, '.$1').split('.');
}
