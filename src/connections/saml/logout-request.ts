import { ProviderFailure } from '../provider/provider-failure.js';
import { decodeMessage } from './decode-message.js';
import type { ExpectedLogout, LogoutOrder, SignedQuery } from './expected-logout.js';
import { readInstant } from './read-instant.js';
import { hasSignature, requireRequestShape } from './response-shape.js';
import { requireSignedQuery } from './saml-library.js';
import { namespaces } from './saml-names.js';
import { signedElement } from './signed-element.js';
import { requireSignatureAlgorithm } from './signed-info.js';
import { attributeValue, childrenOf, readXml, textOnly, type XmlElement } from './xml-tree.js';

/** The longest logout request, in bytes. */
const longestLogoutRequest = 32_768;
/** The most sessions that one request names. */
const mostIndexes = 20;
/** Clocks may be a minute apart. */
const skewMs = 60_000;
/** The longest age of a request. A used one is remembered for longer. */
const longestAgeMs = 10 * 60_000;

/**
 * Verifies a logout request (SAML Core section 3.7.1, Profiles section 4.4). A request without a signature ends nothing. It belongs into a thread.
 * @throws ProviderFailure
 */
export async function verifyLogoutRequest(expected: ExpectedLogout): Promise<LogoutOrder> {
  const { message, binding, allowsSha1 } = expected;
  const query = binding === 'redirect' ? readSignedQuery(message) : undefined;
  const text = decodeMessage(query?.SAMLRequest ?? message, {
    most: longestLogoutRequest,
    isDeflated: query !== undefined,
  });
  const root = readXml(text);
  if (root.namespace !== namespaces.protocol || root.name !== 'LogoutRequest')
    throw new ProviderFailure('answerInvalid', 'The message is no logout request');
  requireRequestShape(root, { allowsSha1 });
  // The signature is in the address or in the document, and never in both.
  if (hasSignature(root) === (query !== undefined))
    throw new ProviderFailure('signatureInvalid', 'The logout request is not signed as its binding demands');
  if (query !== undefined) requireSignatureAlgorithm(query.SigAlg, { allowsSha1 });
  const order = readOrder(root, expected);
  // The signature in a document does not cover everything that a parser could see in it, so what it covers is read again.
  if (query === undefined) return readOrder(signedElement(root, expected), expected);
  await requireSignedQuery(query, expected);
  return { ...order, relayState: query.RelayState ?? '' };
}

const signedNames = ['SAMLRequest', 'RelayState', 'SigAlg'] as const;

/** Each parameter counts once, with its name as it is, so that no reader of the address takes another one. @throws ProviderFailure */
function readSignedQuery(query: string): SignedQuery {
  const raw = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = ''] = part.split('=', 1);
    if (!(signedNames as readonly string[]).includes(name) && name !== 'Signature') continue;
    if (raw.has(name)) throw new ProviderFailure('answerInvalid', `The parameter ${name} came twice`);
    raw.set(name, part);
  }
  const valueIn = (name: string) => {
    const part = raw.get(name);
    return part === undefined ? undefined : decoded(part.slice(name.length + 1));
  };
  const [SAMLRequest, RelayState] = [valueIn('SAMLRequest') ?? '', valueIn('RelayState')];
  const [SigAlg, Signature] = [valueIn('SigAlg') ?? '', valueIn('Signature') ?? ''];
  if (SigAlg === '' || Signature === '')
    throw new ProviderFailure('signatureInvalid', 'The address of the logout request is not signed');
  const signed = signedNames.flatMap((name) => raw.get(name) ?? []).join('&');
  return { SAMLRequest, ...(RelayState !== undefined && { RelayState }), SigAlg, Signature, signed };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ProviderFailure('answerInvalid', 'The address of the logout request cannot be read');
  }
}

function readOrder(root: XmlElement, { entityId, destination, now }: ExpectedLogout): LogoutOrder {
  const id = attributeValue(root, 'ID') ?? '';
  if (attributeValue(root, 'Version') !== '2.0' || id === '' || id.length > 200)
    throw invalid('is none of SAML 2.0');
  if (textOnly(one(root, 'Issuer')) !== entityId) throw invalid('is of another issuer');
  if (attributeValue(root, 'Destination') !== destination) throw invalid('is for another destination');
  const issued = timeOf(root, 'IssueInstant');
  const until = timeOf(root, 'NotOnOrAfter') ?? Number.POSITIVE_INFINITY;
  if (issued === undefined || issued > now + skewMs || issued < now - longestAgeMs || until <= now - skewMs)
    throw invalid('is too old, or says no time');
  const nameId = textOnly(one(root, 'NameID')) ?? '';
  const indexes = childrenOf(root, namespaces.protocol, 'SessionIndex').map((index) => textOnly(index) ?? '');
  if (nameId === '' || indexes.length > mostIndexes || indexes.includes(''))
    throw invalid('names nobody, or too many sessions');
  return { id, nameId, sessionIndexes: indexes };
}

function timeOf(root: XmlElement, name: string): number | undefined {
  const text = attributeValue(root, name);
  if (text === undefined) return undefined;
  const time = readInstant(text);
  if (time === undefined) throw invalid('has a time that is none');
  return time;
}

function one(root: XmlElement, name: string): XmlElement {
  const [found, ...others] = childrenOf(root, namespaces.assertion, name);
  if (found === undefined || others.length > 0) throw invalid(`must have one ${name}`);
  return found;
}

function invalid(what: string): ProviderFailure {
  return new ProviderFailure('assertionInvalid', `The logout request ${what}`);
}
