import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

const commonName = '2.5.4.3';
const sha256WithRsa = '1.2.840.113549.1.1.11';
const derNull = new Uint8Array([5, 0]).buffer;

/**
 * Returns a self-signed certificate (RFC 5280 section 4.1) of an RSA key, in the PEM format. Providers take public keys of SAML as
 * certificates alone. Nobody checks who signed it.
 */
export function selfSignedCertificate(
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  { name, from, until }: { name: string; from: Date; until: Date },
): string {
  const called = new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: commonName, value: new AttributeValue({ utf8String: name }) }),
    ]),
  ]);
  const algorithm = new AlgorithmIdentifier({ algorithm: sha256WithRsa, parameters: derNull });
  // A serial number is positive, and has at most 20 octets.
  const serialNumber = new Uint8Array([1, ...randomBytes(15)]).buffer;
  const tbsCertificate = new TBSCertificate({
    ...{ version: Version.v3, serialNumber, signature: algorithm, issuer: called, subject: called },
    validity: new Validity({ notBefore: from, notAfter: until }),
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
  });
  const signed = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey);
  const certificate = new Certificate({
    ...{ tbsCertificate, signatureAlgorithm: algorithm },
    signatureValue: new Uint8Array(signed).buffer,
  });
  const lines =
    Buffer.from(AsnConvert.serialize(certificate))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
