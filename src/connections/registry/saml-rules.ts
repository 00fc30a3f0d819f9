import { isLongerThan, refusedValue } from '#src/directory/index.js';
import { checkEach } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';
import { mostAcrs } from './connection.js';
import { requireClaimName, requireHttps, requireTokens, requireVisible } from './provider-texts.js';
import { rsaCertificate } from './rsa-certificate.js';
import {
  longestCertificate,
  mostCertificates,
  type SamlEndpoint,
  type SamlProvider,
} from './saml-provider.js';

/**
 * Returns the provider of a SAML connection after checking each setting.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`
 */
export function requireSamlProvider(given: SamlProvider): SamlProvider {
  const { signedPart, allowsSha1, nameIdFormat, signsRequests, startsAtProvider } = given;
  const { metadataUrl, signOut, endsSession, passesLoginHint, unusableCertificates } = given;
  const checked = checkEach({
    issuer: () => requireVisible('provider.issuer', given.issuer),
    signIn: () => requireEndpoint('provider.signIn', given.signIn),
    certificates: () => requireCertificates(given.certificates),
    metadataUrl: () =>
      metadataUrl !== undefined && { metadataUrl: requireAddress('provider.metadataUrl', metadataUrl) },
    signOut: () => signOut !== undefined && { signOut: requireAddress('provider.signOut', signOut) },
    subjectAttribute: () => requireSubject(given),
    multiFactorAcrs: () => requireTokens('provider.multiFactorAcrs', given.multiFactorAcrs, mostAcrs),
  });
  return {
    issuer: checked.issuer,
    signIn: checked.signIn,
    ...checked.signOut,
    ...(endsSession && { endsSession }),
    ...(passesLoginHint && { passesLoginHint }),
    certificates: checked.certificates,
    ...(unusableCertificates && { unusableCertificates }),
    ...checked.metadataUrl,
    ...{ signedPart, allowsSha1, nameIdFormat },
    ...checked.subjectAttribute,
    ...{ signsRequests, startsAtProvider },
    multiFactorAcrs: checked.multiFactorAcrs,
  };
}

/** An address, which another person may have later, and an identifier that is new each time are no subjects. */
function requireSubject({ nameIdFormat, subjectAttribute = '' }: SamlProvider): {
  subjectAttribute?: string;
} {
  if (subjectAttribute !== '')
    return { subjectAttribute: requireClaimName('provider.subjectAttribute', subjectAttribute) };
  if (nameIdFormat === 'persistent' || nameIdFormat === 'unspecified') return {};
  const detail = `provider.subjectAttribute is required, because a name identifier of the format ${nameIdFormat} is no subject`;
  throw refusedValue('provider.subjectAttribute', 'required', detail);
}

function requireEndpoint(path: string, { address, binding }: SamlEndpoint): SamlEndpoint {
  return { address: requireAddress(`${path}.address`, address), binding };
}

/** Whether a provider of a connection may have the address. Metadata may have any text in its place. */
export function isSamlAddress(text: string): boolean {
  try {
    return requireAddress('provider.signOut', text) === text;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}

/** Addresses of SAML may have a query, as those of Google have. */
function requireAddress(path: string, text: string): string {
  requireHttps(path, text.split('?', 1)[0] ?? '');
  return requireVisible(path, text);
}

function requireCertificates(given: readonly string[]): string[] {
  if (given.length === 0)
    throw refusedValue('provider.certificates', 'required', 'provider.certificates is required');
  if (given.length > mostCertificates) {
    const detail = `provider.certificates has more than ${mostCertificates} values`;
    throw refusedValue('provider.certificates', 'tooMany', detail, { most: mostCertificates });
  }
  return [
    ...new Set(given.map((text, index) => requireCertificate(`provider.certificates[${index}]`, text))),
  ];
}

/** Returns the certificate in the PEM format. */
function requireCertificate(path: string, text: string): string {
  if (isLongerThan(text, longestCertificate))
    throw refusedValue(path, 'tooLong', `${path} is too long`, { most: longestCertificate });
  const certificate = rsaCertificate(text);
  if (certificate !== undefined) return certificate;
  throw refusedValue(path, 'certificate', `${path} is no certificate of an RSA key of 2048 to 8192 bits`);
}
