import { ProviderFailure, type ProviderFault } from '../provider/provider-failure.js';
import { rsaCertificate } from '../registry/rsa-certificate.js';
import { mostCertificates, type SamlBinding, type SamlEndpoint } from '../registry/saml-provider.js';
import { readInstant } from './read-instant.js';
import { bindings, namespaces } from './saml-names.js';
import { allIn, attributeValue, childrenOf, readXml, textOnly, type XmlElement } from './xml-tree.js';

const { metadata, protocol, signature } = namespaces;

/** The most certificates that are looked at. */
const mostRead = 50;

/** Many servers answer with a page of HTML where the metadata should be. */
const isHtml =
  /^\uFEFF?\s{0,100}(?:<\?xml[^>]{0,200}\?>\s{0,100})?(?:<!--[^>]{0,200}-->\s{0,100})?<(?:!doctype\s{1,9})?html(?=[\s/>])/i;

/** What a provider says of itself in its metadata. */
export interface SamlDescription {
  readonly issuer: string;
  readonly signIn: SamlEndpoint;
  /** Where people sign out, by HTTP-Redirect. */
  readonly signOut?: string;
  /** In the PEM format. */
  readonly certificates: readonly string[];
  /** How many others it has, of keys that are no RSA keys or too short. 0 for none. */
  readonly unusableCertificates: number;
  /** Whether the provider refuses requests without a signature. */
  readonly wantsSignedRequests: boolean;
}

/**
 * Reads the metadata of one provider (SAML Metadata section 2.4.3). Its signature is not looked at: who uploads it, or the https address,
 * vouches for it. An address with the binding HTTP-Redirect comes before one with HTTP-POST.
 * @throws ProviderFailure `metadataInvalid`
 */
export function readMetadata({ xml, now }: { xml: string; now: number }): SamlDescription {
  const [provider, ...others] = [...allIn(readTree(xml))].filter(
    (element) => element.namespace === metadata && element.name === 'IDPSSODescriptor',
  );
  const entity = provider?.parent;
  if (provider === undefined || entity?.name !== 'EntityDescriptor')
    throw invalid('describes no provider of SAML', 'providerMissing');
  if (others.length > 0) throw invalid('describes several providers', 'severalProviders');
  const protocols = (attributeValue(provider, 'protocolSupportEnumeration') ?? '').split(/\s+/);
  if (!protocols.includes(protocol))
    throw invalid('describes a provider of another protocol than SAML 2.0', 'protocolDiffers');
  requireCurrent([entity, provider], now);
  const issuer = attributeValue(entity, 'entityID') ?? '';
  const [signIn, signOut] = [endpointOf(provider), signOutOf(provider)];
  const texts = certificatesOf(provider);
  if (issuer === '' || signIn === undefined || texts.length === 0)
    throw invalid('lacks the entity ID, an address to sign in, or a certificate', 'incomplete');
  const certificates = texts.flatMap((text) => rsaCertificate(text) ?? []);
  if (certificates.length === 0)
    throw invalid('has no certificate of an RSA key of 2048 to 8192 bits', 'certificatesUnusable');
  return {
    ...{ issuer, signIn },
    ...(signOut !== undefined && { signOut }),
    certificates: certificates.slice(0, mostCertificates),
    unusableCertificates: texts.length - certificates.length,
    wantsSignedRequests: ['true', '1'].includes(attributeValue(provider, 'WantAuthnRequestsSigned') ?? ''),
  };
}

function readTree(xml: string): XmlElement {
  if (isHtml.test(xml)) throw invalid('is a page of HTML', 'metadataBroken');
  try {
    return readXml(xml.replace(/^\uFEFF?\s*/, ''), { comments: true });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new ProviderFailure('metadataInvalid', error.message, 'metadataBroken');
  }
}

function requireCurrent(elements: readonly XmlElement[], now: number): void {
  for (const element of elements) {
    const text = attributeValue(element, 'validUntil');
    const until = text === undefined ? Number.POSITIVE_INFINITY : readInstant(text);
    if (until === undefined || until <= now) throw invalid('is out of date', 'outOfDate');
  }
}

function endpointOf(provider: XmlElement): SamlEndpoint | undefined {
  const services = childrenOf(provider, metadata, 'SingleSignOnService');
  const by = (binding: SamlBinding) => {
    const found = services.find((service) => attributeValue(service, 'Binding') === bindings[binding]);
    const address = found && attributeValue(found, 'Location');
    return address === undefined ? undefined : { address, binding };
  };
  return by('redirect') ?? by('post');
}

/** Where logout messages go: requests and answers to one address (SAML Metadata section 2.4.2). Another one for answers counts as no single logout. */
function signOutOf(provider: XmlElement): string | undefined {
  const service = childrenOf(provider, metadata, 'SingleLogoutService').find(
    (one) => attributeValue(one, 'Binding') === bindings.redirect,
  );
  if (service === undefined) return undefined;
  const [address, forAnswers] = [
    attributeValue(service, 'Location'),
    attributeValue(service, 'ResponseLocation'),
  ];
  return forAnswers === undefined || forAnswers === address ? address : undefined;
}

/** The certificates of keys that sign, as they stand there: base64. A key without a use is for everything. */
function certificatesOf(provider: XmlElement): string[] {
  const keys = childrenOf(provider, metadata, 'KeyDescriptor').filter(
    (key) => (attributeValue(key, 'use') ?? 'signing') === 'signing',
  );
  const texts = keys
    .flatMap((key) => [...allIn(key)])
    .filter(({ namespace, name }) => namespace === signature && name === 'X509Certificate')
    .map((element) => (textOnly(element) ?? '').replace(/\s/g, ''));
  return [...new Set(texts)].slice(0, mostRead);
}

function invalid(what: string, fault: ProviderFault): ProviderFailure {
  return new ProviderFailure('metadataInvalid', `The metadata ${what}`, fault);
}
