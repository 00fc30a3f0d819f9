import { ProviderFailure } from '../provider/provider-failure.js';
import { namespaces } from './saml-names.js';
import { allIn, attributeValue, childrenOf, type XmlElement } from './xml-tree.js';

/** What a connection permits of signatures. */
interface SignatureRules {
  readonly allowsSha1: boolean;
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

/** Where the parts of a signature may stand, so that no other part is taken for them. */
const parents: Readonly<Record<string, readonly string[]>> = {
  SignedInfo: ['Signature'],
  SignatureValue: ['Signature'],
  CanonicalizationMethod: ['SignedInfo'],
  SignatureMethod: ['SignedInfo'],
  Reference: ['SignedInfo'],
  Transforms: ['Reference'],
  Transform: ['Transforms'],
  DigestMethod: ['Reference', 'EncryptionMethod'],
  DigestValue: ['Reference'],
};

/** Elements that no response needs here, and by which a signature or a key could mean something else than what stands in its place. */
const unwanted = new Set(['Object', 'Manifest', 'RetrievalMethod', 'CipherReference', 'XPath']);

/**
 * Checks that a document can mean one thing alone, before any signature is looked at: one assertion, in its place; a signature only in what it
 * signs; no identifier twice; and only algorithms that count. Every known form of signature wrapping needs one of these.
 * @param root a `Response`, or the `Assertion` that was encrypted
 * @throws ProviderFailure `answerInvalid`, `signatureInvalid`
 */
export function requireResponseShape(root: XmlElement, rules: SignatureRules): void {
  requireShape(root, rules);
  let assertions = 0;
  for (const element of allIn(root)) {
    if (isAssertion(element)) {
      assertions++;
      if (element !== root && element.parent !== root)
        throw invalid('An assertion stands in the wrong place');
    }
    if (element.name === 'Response' && element !== root) throw invalid('A response stands in another one');
  }
  if (assertions !== 1) throw invalid('The response must have one assertion');
}

/**
 * Checks the same of a request of a provider: the only signature is that of the whole.
 * @param root a `LogoutRequest`
 * @throws ProviderFailure `answerInvalid`, `signatureInvalid`
 */
export function requireRequestShape(root: XmlElement, rules: SignatureRules): void {
  requireShape(root, rules);
  for (const element of allIn(root)) {
    const isNested = element !== root && (element.name === root.name || isAssertion(element));
    if (isNested || (element.name === 'Signature' && element.parent !== root))
      throw invalid('A message stands in another one');
  }
}

/** Whether an algorithm that an address names counts (SAML Bindings section 3.4.4.1). @throws ProviderFailure `signatureInvalid` */
export function requireSignatureAlgorithm(algorithm: string, { allowsSha1 }: SignatureRules): void {
  // The library knows no RSASSA-PSS in addresses.
  const isPermitted = permitted['SignatureMethod']?.slice(0, 2).includes(algorithm) === true;
  if (!isPermitted && !(allowsSha1 && algorithm === sha1Signature))
    throw wrongSignature('The algorithm of the signature does not count here');
}

/** Checks that no identifier stands twice, and that signatures stand in what they sign. */
function requireShape(root: XmlElement, rules: SignatureRules): void {
  const ids = new Set<string>();
  for (const element of allIn(root)) {
    const { name, attributes } = element;
    for (const { name: attribute, value } of attributes) {
      if (attribute.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw invalid('An identifier stands twice in the message');
      ids.add(value);
    }
    if (unwanted.has(name)) throw invalid(`The message has an element ${name}`);
    if (name === 'Signature') requireSignaturePlace(element, root);
    if (parents[name]?.includes(element.parent?.name ?? '') === false)
      throw wrongSignature(`A part ${name} of a signature stands in the wrong place`);
    requirePermitted(element, rules);
  }
}

/** Whether the element is signed: its signature stands directly in it. */
export function hasSignature(element: XmlElement): boolean {
  return childrenOf(element, namespaces.signature, 'Signature').length > 0;
}

/** By the names alone: what another reader could take for an assertion is one here. */
function isAssertion({ name }: XmlElement): boolean {
  return name === 'Assertion' || name === 'EncryptedAssertion';
}

/** A signature stands in the element that it signs, once, and has one reference: to that element as a whole. */
function requireSignaturePlace(signature: XmlElement, root: XmlElement): void {
  const { parent, namespace } = signature;
  const isPlaced =
    namespace === namespaces.signature &&
    parent !== undefined &&
    (parent === root || (parent.parent === root && parent.name === 'Assertion'));
  if (!isPlaced || parent.children.filter(({ name }) => name === 'Signature').length > 1)
    throw wrongSignature('A signature stands in the wrong place');
  const info = only(signature, 'SignedInfo');
  only(signature, 'SignatureValue');
  only(info, 'CanonicalizationMethod');
  only(info, 'SignatureMethod');
  const reference = only(info, 'Reference');
  only(reference, 'DigestMethod');
  only(reference, 'DigestValue');
  const transforms = only(reference, 'Transforms').children;
  const id = attributeValue(parent, 'ID') ?? '';
  if (id === '' || attributeValue(reference, 'URI') !== `#${id}`)
    throw wrongSignature('A signature must refer to the element in which it stands');
  const [first] = transforms;
  const isUsual =
    transforms.length <= 2 &&
    transforms.every(({ name }) => name === 'Transform') &&
    first !== undefined &&
    attributeValue(first, 'Algorithm') === enveloped;
  if (!isUsual) throw wrongSignature('A signature has other transforms than those of SAML');
}

/** The one child of this name, whatever its namespace. */
function only(element: XmlElement, name: string): XmlElement {
  const [found, ...more] = element.children.filter((child) => child.name === name);
  if (found === undefined || more.length > 0 || found.namespace !== namespaces.signature)
    throw wrongSignature(`A signature must have one ${name}`);
  return found;
}

function requirePermitted(element: XmlElement, { allowsSha1 }: SignatureRules): void {
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

function invalid(message: string): ProviderFailure {
  return new ProviderFailure('answerInvalid', message);
}

function wrongSignature(message: string): ProviderFailure {
  return new ProviderFailure('signatureInvalid', message);
}
