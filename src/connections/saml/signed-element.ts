import { CanonicalNode, inheritedNamespaces } from './canonical-node.js';
import { canonicalText, digestOf, isSignedWith } from './saml-library.js';
import {
  base64In,
  type Canonicalization,
  onlyPart,
  readSignedInfo,
  type SignatureRules,
  wrongSignature,
} from './signed-info.js';
import { attributeValue, readXml, type XmlElement } from './xml-tree.js';

/**
 * Verifies the signature that stands in an element of a document whose form was checked (XML Signature section 3.2). Everything that it returns was
 * signed: a key of the provider signed the text of `SignedInfo`, this text names a digest, and the text with this digest is read anew. A fault
 * of the parser or of the canonicalization makes another text. So it can refuse a good signature, and cannot accept a wrong one.
 * @param rules `certificates`: a signature of any of their keys counts
 * @returns the element as the signature covers it, without the signature
 * @throws ProviderFailure `signatureInvalid`
 */
export function signedElement(
  element: XmlElement,
  rules: SignatureRules & { readonly certificates: readonly string[] },
): XmlElement {
  const id = attributeValue(element, 'ID') ?? '';
  const signature = onlyPart(element, 'Signature');
  const info = onlyPart(signature, 'SignedInfo');
  const infoText = textOf(info, readSignedInfo(info, id, rules).canonicalization);
  const signed = readSignedInfo(readXml(infoText), id, rules);
  const value = base64In(onlyPart(signature, 'SignatureValue'));
  const isRight = rules.certificates.some((certificate) =>
    isSignedWith(certificate, { algorithm: signed.signatureMethod, text: infoText, value }),
  );
  if (!isRight) throw notVerified();
  const text = textOf(element, signed.transform, signature);
  if (digestOf(text, signed.digestMethod) !== signed.digestValue) throw notVerified();
  const covered = readXml(text);
  const { namespace, name } = covered;
  if (namespace !== element.namespace || name !== element.name || attributeValue(covered, 'ID') !== id)
    throw notVerified();
  return covered;
}

function textOf(element: XmlElement, { method, prefixes }: Canonicalization, without?: XmlElement): string {
  const inherited = inheritedNamespaces(element);
  return canonicalText(new CanonicalNode(element, without), { method, prefixes, inherited });
}

/** Every failure reads the same. */
function notVerified() {
  return wrongSignature('No certificate of the connection verifies the signature');
}
