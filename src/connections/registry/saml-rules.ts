import { X509Certificate } from 'node:crypto';
import { isLongerThan, refusedValue } from '#src/directory/index.js';
import { checkEach } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';
import { mostAcrs } from './connection.js';
import { requireClaimName, requireHttps, requireTokens, requireVisible } from './provider-texts.js';
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
  const { metadataUrl, signOut, endsSession, passesLoginHint } = given;
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

/**
 * Returns a certificate in the PEM format. It may be given as base64 alone, as metadata has it. The library verifies signatures of RSA keys
 * alone.
 */
function requireCertificate(path: string, text: string): string {
  if (isLongerThan(text, longestCertificate))
    throw refusedValue(path, 'tooLong', `${path} is too long`, { most: longestCertificate });
  const certificate = readCertificate(text);
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate?.publicKey ?? {};
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (certificate !== undefined && asymmetricKeyType === 'rsa' && bits >= 2048 && bits <= 8192)
    return certificate.toString();
  throw refusedValue(path, 'certificate', `${path} is no certificate of an RSA key of 2048 to 8192 bits`);
}

/** Undefined for a text that is no certificate. @param text in the PEM format, or as base64 alone */
function readCertificate(text: string): X509Certificate | undefined {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    // A key of an unknown kind shows itself here.
    return certificate.publicKey && certificate;
  } catch {
    return undefined;
  }
}
