import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { selfSignedCertificate } from '#src/keys/self-signed-certificate.js';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const [from, until] = [new Date('2020-01-01'), new Date('2040-01-01')];
const certificate = selfSignedCertificate({ publicKey, privateKey }, { name: 'bench', from, until });
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ofAssertion = 'urn:oasis:names:tc:SAML:2.0:assertion';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
/** A value of the attribute that makes a response long, and the bytes that it takes. */
const filler = '<a:AttributeValue>cn=group,ou=groups,dc=acme,dc=example</a:AttributeValue>';

/** The metadata of the provider (SAML Metadata section 2.4.3). @param issuer its entity ID */
export function samlMetadata(issuer: string): string {
  const der = certificate.replace(/-----[^-]+-----/g, '');
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"><md:IDPSSODescriptor protocolSupportEnumeration="${protocol}"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${der}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${issuer}/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
}

/**
 * The form with which the provider answers an authentication request.
 * @param answer `address`: of the request; `bytes`: the length of the response, 0 for a usual one; `isForged`: another subject than the signature covers
 */
export function samlAnswer(
  issuer: string,
  {
    address,
    subject,
    bytes,
    isForged,
  }: { address: string; subject: string; bytes: number; isForged: boolean },
): { readonly action: string; readonly SAMLResponse: string; readonly RelayState: string } {
  const asked = new URL(address).searchParams;
  const request = inflateRawSync(Buffer.from(asked.get('SAMLRequest') ?? '', 'base64')).toString();
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(request)?.[1] ?? '';
  const [requestId, action] = [attribute('ID'), attribute('AssertionConsumerServiceURL')];
  const audience = /Issuer[^>]*>([^<]*)</.exec(request)?.[1] ?? '';
  const now = new Date().toISOString();
  const end = new Date(Date.now() + 300_000).toISOString();
  const values = filler.repeat(Math.max(0, Math.floor((bytes - 5_000) / filler.length)));
  const assertion = [
    `<a:Assertion xmlns:a="${ofAssertion}" ID="_${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${now}">`,
    `<a:Issuer>${issuer}</a:Issuer><a:Subject>`,
    `<a:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${subject}</a:NameID>`,
    '<a:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<a:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${action}" InResponseTo="${requestId}"/>`,
    `</a:SubjectConfirmation></a:Subject><a:Conditions NotBefore="${now}" NotOnOrAfter="${end}">`,
    `<a:AudienceRestriction><a:Audience>${audience}</a:Audience></a:AudienceRestriction></a:Conditions>`,
    `<a:AuthnStatement AuthnInstant="${now}" SessionIndex="_1"><a:AuthnContext>`,
    '<a:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</a:AuthnContextClassRef>',
    '</a:AuthnContext></a:AuthnStatement>',
    values === ''
      ? ''
      : `<a:AttributeStatement><a:Attribute Name="groups">${values}</a:Attribute></a:AttributeStatement>`,
    '</a:Assertion>',
  ].join('');
  const response = signed(
    `<p:Response xmlns:p="${protocol}" ID="_${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${now}" Destination="${action}" InResponseTo="${requestId}"><a:Issuer xmlns:a="${ofAssertion}">${issuer}</a:Issuer><p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>${assertion}</p:Response>`,
  );
  const sent = isForged ? response.replace(`>${subject}</a:NameID>`, '>somebody-else</a:NameID>') : response;
  return {
    action,
    SAMLResponse: Buffer.from(sent).toString('base64'),
    RelayState: asked.get('RelayState') ?? '',
  };
}

/** Signs the assertion in its place. */
function signed(xml: string): string {
  const xpath = "//*[local-name(.)='Assertion']";
  const signer = new SignedXml({
    privateKey: privatePem,
    publicCert: certificate,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: exclusive,
  });
  const transforms = [enveloped, exclusive];
  signer.addReference({ xpath, digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256', transforms });
  const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signer.computeSignature(xml, { prefix: 'ds', location });
  return signer.getSignedXml();
}
