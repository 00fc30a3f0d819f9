import { ProviderFailure } from '../provider/provider-failure.js';
import { openEncrypted } from './encrypted-assertion.js';
import type { ExpectedResponse } from './expected-response.js';
import { hasSignature, requireResponseShape } from './response-shape.js';
import { namespaces } from './saml-names.js';
import { signedElement } from './signed-element.js';
import { wrongSignature } from './signed-info.js';
import { childrenOf, readXml, type XmlElement } from './xml-tree.js';

/**
 * Returns the assertion of a response as the demanded signature covers it. A signature that is there must be right, also if another one suffices.
 * @param root a response whose form was checked
 * @throws ProviderFailure
 */
export async function signedAssertion(
  root: XmlElement,
  expected: Pick<ExpectedResponse, 'allowsSha1' | 'certificates' | 'privateKey' | 'signed'>,
): Promise<XmlElement> {
  const { signed } = expected;
  if (signed === 'response' && !hasSignature(root)) throw notSigned(signed);
  const whole = hasSignature(root) ? signedElement(root, expected) : undefined;
  // What is signed as a whole still means one thing alone.
  if (whole !== undefined) requireResponseShape(whole, expected);
  const [encrypted] = childrenOf(whole ?? root, namespaces.assertion, 'EncryptedAssertion');
  const [plain] = childrenOf(root, namespaces.assertion, 'Assertion');
  const assertion = encrypted === undefined ? plain : await openShaped(encrypted, expected);
  if (assertion === undefined)
    throw new ProviderFailure('answerInvalid', 'The response has no assertion of SAML');
  // A signature may need namespaces of the response, so it is verified where it stands.
  const own = hasSignature(assertion) ? signedElement(assertion, expected) : undefined;
  const [inWhole] = whole === undefined ? [] : childrenOf(whole, namespaces.assertion, 'Assertion');
  // What was encrypted in a signed response is covered by its signature too.
  const ofResponse = whole !== undefined && encrypted !== undefined ? assertion : inWhole;
  const found = { assertion: own, response: ofResponse }[signed];
  if (found === undefined) throw notSigned(signed);
  return found;
}

function notSigned(part: ExpectedResponse['signed']): ProviderFailure {
  return wrongSignature(`The ${part} is not signed`);
}

/** Opens an encrypted assertion, and checks what was in it as if it had come open: everybody can encrypt for this service. */
async function openShaped(
  encrypted: XmlElement,
  expected: Pick<ExpectedResponse, 'allowsSha1' | 'privateKey'>,
): Promise<XmlElement> {
  const assertion = readXml(await openEncrypted(encrypted, expected.privateKey));
  if (assertion.namespace !== namespaces.assertion || assertion.name !== 'Assertion')
    throw new ProviderFailure('answerInvalid', 'What was encrypted is no assertion');
  requireResponseShape(assertion, expected);
  return assertion;
}
