import { X509Certificate } from 'node:crypto';

/**
 * Returns a certificate in the PEM format. Undefined if its key is no RSA key of 2048 to 8192 bits: the library of SAML verifies no other signatures.
 * @param text in the PEM format, or as base64 alone, as metadata has it
 */
export function rsaCertificate(text: string): string | undefined {
  const certificate = readCertificate(text);
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate?.publicKey ?? {};
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  return asymmetricKeyType === 'rsa' && bits >= 2048 && bits <= 8192 ? certificate?.toString() : undefined;
}

/** Undefined for a text that is no certificate. */
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
