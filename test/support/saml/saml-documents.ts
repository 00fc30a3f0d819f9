import { generateKeyPairSync } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';
import { selfSignedCertificate } from '#src/keys/self-signed-certificate.js';

/** Documents as SAML providers make them, good and bad. They are signed and encrypted by libraries that the tests do not test. */

/** A key of a provider, or of this service, in the PEM format. */
export interface SamlKey {
  readonly privateKey: string;
  readonly publicKey: string;
  readonly certificate: string;
}

/** Makes a key. @param until when its certificate ends */
export function makeSamlKey({ until = new Date('2040-01-01') } = {}): SamlKey {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const from = new Date('2020-01-01');
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    certificate: selfSignedCertificate(pair, { name: 'test', from, until }),
  };
}

/** What an assertion says. `undefined` leaves a part out. */
export interface Said {
  readonly id: string;
  readonly issuer: string;
  readonly nameId: string;
  readonly format: string;
  readonly acsUrl: string;
  readonly audience: string;
  readonly requestId: string | undefined;
  readonly now: Date;
  readonly notBefore: Date | string;
  readonly notOnOrAfter: Date | undefined;
  readonly conditionsEnd: Date;
  readonly authnInstant: Date;
  readonly sessionIndex: string;
  readonly sessionEnds: Date | undefined;
  readonly authnContext: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
  /** XML at the end of the assertion, of its conditions or of its subject. */
  readonly more: string;
  readonly moreConditions: string;
  readonly moreSubject: string;
}

const minutes = (from: Date, count: number) => new Date(from.getTime() + count * 60_000);

/** What a provider says that behaves. */
export function usuallySaid(
  given: Pick<Said, 'issuer' | 'acsUrl' | 'audience' | 'requestId' | 'now'> & Partial<Said>,
): Said {
  const { now } = given;
  return {
    id: '_assertion-1',
    nameId: 'anna',
    format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    notBefore: minutes(now, -1),
    notOnOrAfter: minutes(now, 5),
    conditionsEnd: minutes(now, 5),
    authnInstant: now,
    sessionIndex: '_session-1',
    sessionEnds: undefined,
    authnContext: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    attributes: {},
    ...{ more: '', moreConditions: '', moreSubject: '' },
    ...given,
  };
}

export function assertionXml(said: Said): string {
  const attribute = (name: string, value: string | Date | undefined) =>
    value === undefined ? '' : ` ${name}="${value instanceof Date ? value.toISOString() : escaped(value)}"`;
  const attributes = Object.entries(said.attributes).map(([name, values]) => {
    const all = [values]
      .flat()
      .map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`);
    return `<saml:Attribute Name="${escaped(name)}">${all.join('')}</saml:Attribute>`;
  });
  return [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.id}" Version="2.0" IssueInstant="${said.now.toISOString()}">`,
    `<saml:Issuer>${escaped(said.issuer)}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${said.format}">${said.nameId}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData',
    attribute('NotOnOrAfter', said.notOnOrAfter),
    attribute('Recipient', said.acsUrl),
    attribute('InResponseTo', said.requestId),
    `/></saml:SubjectConfirmation>${said.moreSubject}</saml:Subject>`,
    `<saml:Conditions${attribute('NotBefore', said.notBefore)}${attribute('NotOnOrAfter', said.conditionsEnd)}>`,
    `<saml:AudienceRestriction><saml:Audience>${escaped(said.audience)}</saml:Audience></saml:AudienceRestriction>`,
    `${said.moreConditions}</saml:Conditions>`,
    `<saml:AuthnStatement${attribute('AuthnInstant', said.authnInstant)}${attribute('SessionIndex', said.sessionIndex)}${attribute('SessionNotOnOrAfter', said.sessionEnds)}>`,
    `<saml:AuthnContext><saml:AuthnContextClassRef>${said.authnContext}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    attributes.length === 0
      ? ''
      : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
    `${said.more}</saml:Assertion>`,
  ].join('');
}

export function responseXml(
  said: Said,
  content: string,
  { id = '_response-1', status = 'Success', detail = '' } = {},
): string {
  const inResponseTo = said.requestId === undefined ? '' : ` InResponseTo="${said.requestId}"`;
  const code = (name: string, inner = '') =>
    `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${name}">${inner}</samlp:StatusCode>`;
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0"`,
    ` IssueInstant="${said.now.toISOString()}" Destination="${escaped(said.acsUrl)}"${inResponseTo}>`,
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${escaped(said.issuer)}</saml:Issuer>`,
    `<samlp:Status>${code(status, detail === '' ? '' : code(detail))}</samlp:Status>${content}</samlp:Response>`,
  ].join('');
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** How an element is signed. */
interface Signing {
  readonly key: SamlKey;
  readonly signatureAlgorithm?: string;
  readonly digestAlgorithm?: string;
  readonly canonicalizationAlgorithm?: string;
  readonly transforms?: readonly string[];
  /** The certificate in `KeyInfo`, if it is another one. */
  readonly shown?: string;
}

/** Signs the element of this name in its place: the signature stands after the issuer. */
export function signElement(
  xml: string,
  name: 'Assertion' | 'Response' | 'LogoutRequest',
  signing: Signing,
): string {
  const { key } = signing;
  const signer = new SignedXml({
    privateKey: key.privateKey,
    publicCert: signing.shown ?? key.certificate,
    signatureAlgorithm: signing.signatureAlgorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: (signing.canonicalizationAlgorithm ?? exclusive) as never,
  });
  const xpath = `//*[local-name(.)='${name}']`;
  signer.addReference({
    xpath,
    digestAlgorithm: signing.digestAlgorithm ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [...(signing.transforms ?? [enveloped, exclusive])],
  });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

/** Encrypts an assertion with the public key of its receiver. */
export async function encryptedXml(
  assertion: string,
  key: SamlKey,
  {
    data = 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    wrap = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  } = {},
): Promise<string> {
  const options = {
    rsa_pub: key.publicKey,
    pem: key.certificate,
    encryptionAlgorithm: data,
    keyEncryptionAlgorithm: wrap,
    warnInsecureAlgorithm: false,
  };
  const encrypted = await new Promise<string>((resolve, reject) => {
    encrypt(assertion, options as never, (error: Error | null, result: string) =>
      error ? reject(error) : resolve(result),
    );
  });
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${encrypted}</saml:EncryptedAssertion>`;
}

export const toBase64 = (xml: string) => Buffer.from(xml).toString('base64');

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
