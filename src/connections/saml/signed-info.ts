import { ProviderFailure } from '../provider/provider-failure.js';
import { namespaces } from './saml-names.js';
import { allIn, attributeValue, childrenOf, textOnly, type XmlElement } from './xml-tree.js';

/** What a connection permits of signatures. */
export interface SignatureRules {
  readonly allowsSha1: boolean;
}

/** How an element becomes the text that is signed or digested. */
export interface Canonicalization {
  readonly method: string;
  /** The prefixes whose namespaces belong to the text although no name in it has them (Exclusive XML Canonicalization section 3). */
  readonly prefixes: readonly string[];
}

/** What a signature says of itself and of the one element that it signs. */
export interface SignedInfo {
  /** Of this `SignedInfo` itself. */
  readonly canonicalization: Canonicalization;
  readonly signatureMethod: string;
  /** Of the element, without the signature in it. */
  readonly transform: Canonicalization;
  readonly digestMethod: string;
  /** In base64. '' if it is none. */
  readonly digestValue: string;
}

const sha1Signature = `${namespaces.signature}rsa-sha1`;
const sha1Digest = `${namespaces.signature}sha1`;
const enveloped = `${namespaces.signature}enveloped-signature`;
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/**
 * The algorithms that count, by the element that names them. All signatures are of RSA keys: a key that several parties know, as that of an
 * HMAC, proves nobody.
 */
const permitted: Readonly<Record<string, readonly string[]>> = {
  CanonicalizationMethod: [exclusive, inclusive],
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: [`${namespaces.encryption}sha256`, `${namespaces.encryption}sha512`],
  Transform: [enveloped, exclusive],
};

/**
 * Reads a `SignedInfo` that has one reference: to the element with this ID as a whole, with the transforms of SAML and algorithms that count
 * (SAML Core section 5.4).
 * @throws ProviderFailure `signatureInvalid`
 */
export function readSignedInfo(info: XmlElement, id: string, rules: SignatureRules): SignedInfo {
  const canonicalization = onlyPart(info, 'CanonicalizationMethod');
  const signatureMethod = onlyPart(info, 'SignatureMethod');
  const reference = onlyPart(info, 'Reference');
  const digestMethod = onlyPart(reference, 'DigestMethod');
  const digestValue = onlyPart(reference, 'DigestValue');
  const transforms = onlyPart(reference, 'Transforms').children;
  if (id === '' || attributeValue(reference, 'URI') !== `#${id}`)
    throw wrongSignature('A signature must refer to the element in which it stands');
  const [first, second] = transforms;
  const isUsual =
    transforms.length <= 2 &&
    transforms.every(({ name }) => name === 'Transform') &&
    first !== undefined &&
    attributeValue(first, 'Algorithm') === enveloped;
  if (!isUsual) throw wrongSignature('A signature has other transforms than those of SAML');
  for (const element of allIn(info)) requirePermitted(element, rules);
  const isExclusive = second !== undefined && attributeValue(second, 'Algorithm') === exclusive;
  return {
    canonicalization: canonicalizationOf(canonicalization),
    signatureMethod: attributeValue(signatureMethod, 'Algorithm') ?? '',
    // What no transform has made a text becomes one by inclusive canonicalization (XML Signature section 4.4.3.2).
    transform: isExclusive ? canonicalizationOf(second) : { method: inclusive, prefixes: [] },
    digestMethod: attributeValue(digestMethod, 'Algorithm') ?? '',
    digestValue: base64In(digestValue),
  };
}

function canonicalizationOf(element: XmlElement): Canonicalization {
  const lists = childrenOf(element, exclusive, 'InclusiveNamespaces');
  const prefixes = lists.flatMap((list) => (attributeValue(list, 'PrefixList') ?? '').split(/\s+/));
  return {
    method: attributeValue(element, 'Algorithm') ?? '',
    prefixes: prefixes.filter((prefix) => prefix !== ''),
  };
}

/** The base64 in an element, without its line breaks. '' if it has anything else, which verifies nothing. */
export function base64In(element: XmlElement): string {
  const text = (textOnly(element) ?? '').replace(/[ \t\r\n]/g, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : '';
}

/** The one child of this name, whatever its namespace. @throws ProviderFailure `signatureInvalid` */
export function onlyPart(element: XmlElement, name: string): XmlElement {
  const [found, ...more] = element.children.filter((child) => child.name === name);
  if (found === undefined || more.length > 0 || found.namespace !== namespaces.signature)
    throw wrongSignature(`A signature must have one ${name}`);
  return found;
}

/** Checks the algorithm that an element names, if it names one. @throws ProviderFailure `signatureInvalid` */
export function requirePermitted(element: XmlElement, { allowsSha1 }: SignatureRules): void {
  const { name, parent } = element;
  const algorithms = permitted[name];
  // That of RSA-OAEP hides nothing by its digest.
  if (algorithms === undefined || parent?.name === 'EncryptionMethod') return;
  const algorithm = attributeValue(element, 'Algorithm') ?? '';
  if (algorithms.includes(algorithm)) return;
  const isSha1 = algorithm === sha1Signature || algorithm === sha1Digest;
  if (isSha1 && allowsSha1) return;
  throw wrongSignature(
    isSha1
      ? 'The provider signs with SHA-1, which the connection does not allow'
      : `The algorithm of ${name} does not count here`,
  );
}

/** Whether an algorithm that an address names counts (SAML Bindings section 3.4.4.1). @throws ProviderFailure `signatureInvalid` */
export function requireSignatureAlgorithm(algorithm: string, { allowsSha1 }: SignatureRules): void {
  // The library knows no RSASSA-PSS in addresses.
  const isPermitted = permitted['SignatureMethod']?.slice(0, 2).includes(algorithm) === true;
  if (!isPermitted && !(allowsSha1 && algorithm === sha1Signature))
    throw wrongSignature('The algorithm of the signature does not count here');
}

export function wrongSignature(message: string): ProviderFailure {
  return new ProviderFailure('signatureInvalid', message);
}
