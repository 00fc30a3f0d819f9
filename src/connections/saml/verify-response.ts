import { ProviderFailure } from '../provider/provider-failure.js';
import { decodeMessage } from './decode-message.js';
import { type ExpectedResponse, longestResponse, type SamlAssertion } from './expected-response.js';
import { readSamlAssertion } from './read-saml-assertion.js';
import { requireResponseShape } from './response-shape.js';
import { namespaces } from './saml-names.js';
import { signedAssertion } from './signed-assertion.js';
import { attributeValue, childrenOf, readXml, textOnly, type XmlElement } from './xml-tree.js';

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
/** Second-level status codes that say that the person or the provider ended the sign-in there (SAML Core section 3.2.2.2). */
const cancelled = ['AuthnFailed', 'NoPassive', 'RequestDenied'].map(
  (code) => `urn:oasis:names:tc:SAML:2.0:status:${code}`,
);

/**
 * Verifies a SAML response, and returns what its assertion says. It takes 50 ms or more for a response of 256 KiB, so it belongs into a
 * thread. The order matters: the document is checked to mean one thing alone, then the signature is verified, and then only what the
 * signature covers is read.
 * @throws ProviderFailure
 */
export async function verifyResponse(expected: ExpectedResponse): Promise<SamlAssertion> {
  const text = decodeMessage(expected.response, { most: longestResponse });
  const root = readXml(text);
  if (root.namespace !== namespaces.protocol || root.name !== 'Response')
    throw new ProviderFailure('answerInvalid', 'The answer is no SAML response');
  requireEnvelope(root, expected);
  requireResponseShape(root, expected);
  return readSamlAssertion(await signedAssertion(root, expected), expected);
}

/** What a response says outside of its assertion. It need not be signed, so it can only refuse (SAML Core section 3.2.2). */
function requireEnvelope(root: XmlElement, { entityId, acsUrl, requestId }: ExpectedResponse): void {
  requireSuccess(root);
  const [issuer] = childrenOf(root, namespaces.assertion, 'Issuer');
  if (issuer !== undefined && textOnly(issuer) !== entityId)
    throw new ProviderFailure('answerInvalid', 'The response is of another issuer');
  const destination = attributeValue(root, 'Destination');
  if (destination !== undefined && destination !== acsUrl)
    throw new ProviderFailure('answerInvalid', 'The response is for another destination');
  if (attributeValue(root, 'InResponseTo') !== requestId)
    throw new ProviderFailure('answerInvalid', 'The response answers another request, or none');
}

function requireSuccess(root: XmlElement): void {
  const codes = childrenOf(root, namespaces.protocol, 'Status').flatMap(codesIn);
  if (codes.length > 0 && codes[0] === success) return;
  const isCancelled = codes.some((code) => cancelled.includes(code));
  throw isCancelled
    ? new ProviderFailure('cancelled', 'The person or the provider ended the sign-in there')
    : new ProviderFailure('refusedByProvider', 'The provider answered with an error');
}

function codesIn(status: XmlElement): string[] {
  return childrenOf(status, namespaces.protocol, 'StatusCode').flatMap((code) => [
    attributeValue(code, 'Value') ?? '',
    ...codesIn(code),
  ]);
}
