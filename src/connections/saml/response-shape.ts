import { ProviderFailure } from '../provider/provider-failure.js';
import { namespaces } from './saml-names.js';
import {
  onlyPart,
  readSignedInfo,
  requirePermitted,
  type SignatureRules,
  wrongSignature,
} from './signed-info.js';
import { allIn, attributeValue, childrenOf, type XmlElement } from './xml-tree.js';

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
    if (name === 'Signature') requireSignaturePlace(element, root, rules);
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
function requireSignaturePlace(signature: XmlElement, root: XmlElement, rules: SignatureRules): void {
  const { parent, namespace } = signature;
  const isPlaced =
    namespace === namespaces.signature &&
    parent !== undefined &&
    (parent === root || (parent.parent === root && parent.name === 'Assertion'));
  if (!isPlaced || parent.children.filter(({ name }) => name === 'Signature').length > 1)
    throw wrongSignature('A signature stands in the wrong place');
  onlyPart(signature, 'SignatureValue');
  readSignedInfo(onlyPart(signature, 'SignedInfo'), attributeValue(parent, 'ID') ?? '', rules);
}

function invalid(message: string): ProviderFailure {
  return new ProviderFailure('answerInvalid', message);
}
