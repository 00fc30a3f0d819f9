import { SAML, type SamlConfig } from '@node-saml/node-saml';
import { SignedXml } from 'xml-crypto';
import { decrypt } from 'xml-encryption';
import { ProviderFailure } from '../provider/provider-failure.js';
import type { NameIdFormat } from '../registry/saml-provider.js';
import type { CanonicalNode } from './canonical-node.js';
import type { ExpectedLogout, SignedQuery } from './expected-logout.js';
import { nameIdUrns } from './saml-names.js';
import type {
  Departure,
  OurDescription,
  OurSide,
  WantedLogout,
  WantedLogoutAnswer,
  WantedRequest,
} from './saml-tasks.js';

/** The only file that knows the libraries of SAML: they make messages and metadata, canonicalize, verify and decrypt. */

/** The library keeps nothing. Waiting requests and used assertions are in Redis. */
const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

const { CanonicalizationAlgorithms, HashAlgorithms, SignatureAlgorithms } = new SignedXml();

/**
 * Returns the canonical text of an element.
 * @param of `inherited`: the namespaces that it has from its ancestors
 * @throws ProviderFailure `signatureInvalid` for what the library cannot make canonical. Its own messages can have texts of the provider
 */
export function canonicalText(
  node: CanonicalNode,
  of: {
    method: string;
    prefixes: readonly string[];
    inherited: { readonly prefix: string; readonly namespaceURI: string }[];
  },
): string {
  const options = { inclusiveNamespacesPrefixList: [...of.prefixes], ancestorNamespaces: of.inherited };
  try {
    const Method = known(CanonicalizationAlgorithms, of.method);
    return String(new Method().process(node as never, options));
  } catch {
    throw new ProviderFailure('signatureInvalid', 'What is signed cannot be made canonical');
  }
}

/** The digest of a text, in base64. @throws Error if the library does not know the algorithm */
export function digestOf(text: string, algorithm: string): string {
  return new (known(HashAlgorithms, algorithm))().getHash(text);
}

/** Whether the key of a certificate has signed a text. @param of `value`: the signature in base64 */
export function isSignedWith(
  certificate: string,
  { algorithm, text, value }: { algorithm: string; text: string; value: string },
): boolean {
  try {
    return new (known(SignatureAlgorithms, algorithm))().verifySignature(text, certificate, value) === true;
  } catch {
    // Another certificate may have a key that fits.
    return false;
  }
}

function known<Algorithm>(algorithms: Readonly<Record<string, Algorithm>>, name: string): Algorithm {
  const found = algorithms[name];
  if (found === undefined) throw new Error('The library does not know an algorithm');
  return found;
}

/**
 * Verifies the signature of the address with a logout request.
 * @throws ProviderFailure `signatureInvalid`
 */
export async function requireSignedQuery(
  { signed, ...parameters }: SignedQuery,
  { destination, entityId, certificates }: ExpectedLogout,
): Promise<void> {
  const saml = new SAML({
    callbackUrl: destination,
    issuer: destination,
    idpCert: [...certificates],
    idpIssuer: entityId,
    acceptedClockSkewMs: -1,
    cacheProvider: noCache,
  });
  try {
    await saml.validateRedirectAsync(parameters, signed);
  } catch {
    throw new ProviderFailure('signatureInvalid', 'No certificate of the connection verifies the signature');
  }
}

/** Makes a signed logout request (SAML Core section 3.7.1). */
export async function makeLogoutRequest(wanted: WantedLogout): Promise<Departure> {
  const { signOut, requestId, relayState, person } = wanted;
  const { nameId, sessionIndex } = person;
  const saml = new SAML({
    ...ourSide(wanted),
    ...{ entryPoint: signOut, logoutUrl: signOut, generateUniqueId: () => requestId },
  });
  const user = {
    issuer: '',
    nameID: nameId.value,
    nameIDFormat: nameId.format ?? nameIdUrns.unspecified,
    ...(nameId.nameQualifier !== undefined && { nameQualifier: nameId.nameQualifier }),
    ...(nameId.spNameQualifier !== undefined && { spNameQualifier: nameId.spNameQualifier }),
    ...(sessionIndex !== undefined && { sessionIndex }),
  };
  return { address: await saml.getLogoutUrlAsync(user, relayState, {}) };
}

/** Makes a signed answer to a logout request of the provider (SAML Core section 3.7.2). */
export async function makeLogoutAnswer(wanted: WantedLogoutAnswer): Promise<Departure> {
  const { signOut, inResponseTo, relayState } = wanted;
  const saml = new SAML({ ...ourSide(wanted), entryPoint: signOut, logoutUrl: signOut });
  const request = { ID: inResponseTo, issuer: '', nameID: '', nameIDFormat: '' };
  return { address: await saml.getLogoutResponseUrlAsync(request, relayState, {}, true) };
}

/** Makes an authentication request (SAML Core section 3.4.1), signed with RSA and SHA-256 if there is a key. */
export async function makeRequest(wanted: WantedRequest): Promise<Departure> {
  const { signIn, requestId, relayState, nameIdFormat, forceAuthn, loginHint } = wanted;
  const saml = new SAML({
    ...ourSide(wanted),
    entryPoint: signIn.address,
    generateUniqueId: () => requestId,
    identifierFormat: formatOf(nameIdFormat),
    forceAuthn,
    // How strong the sign-in was is checked in the answer.
    disableRequestedAuthnContext: true,
    // SAML Bindings section 3.5.4: a form has base64 alone.
    skipRequestCompression: signIn.binding === 'post',
    ...(loginHint !== undefined && { additionalAuthorizeParams: { login_hint: loginHint } }),
  });
  if (signIn.binding === 'redirect')
    return { address: await saml.getAuthorizeUrlAsync(relayState, undefined, {}) };
  const fields = await saml.getAuthorizeMessageAsync(relayState, undefined, {});
  return { address: signIn.address, fields: fields as Record<string, string> };
}

/** Makes the metadata of this service (SAML Metadata section 2.4.4). */
export function describeOurs({ nameIdFormat, decryptionKey, sloUrl, ...side }: OurDescription): string {
  const saml = new SAML({
    ...ourSide(side),
    identifierFormat: formatOf(nameIdFormat),
    decryptionPvk: decryptionKey.privateKey,
    wantAssertionsSigned: true,
    ...(sloUrl !== undefined && { logoutCallbackUrl: sloUrl }),
  });
  return saml.generateServiceProviderMetadata(
    decryptionKey.certificate,
    side.signingKey?.certificate ?? null,
  );
}

/** What the library needs for messages of this service. It looks at no certificate of the provider then. */
function ourSide({ entityId, acsUrl, signingKey }: OurSide) {
  return {
    ...{ callbackUrl: acsUrl, issuer: entityId, idpCert: 'none', cacheProvider: noCache },
    ...(signingKey && { privateKey: signingKey.privateKey, publicCert: signingKey.certificate }),
    ...{ signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
  } satisfies SamlConfig;
}

/** Without a format, the provider chooses. */
function formatOf(format: NameIdFormat): string | null {
  return format === 'unspecified' ? null : nameIdUrns[format];
}

/** Decrypts an `EncryptedData` with its key in it. @throws an Error for everything that goes wrong */
export function decryptXml(text: string, privateKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    decrypt(text, { key: privateKey, disallowDecryptionWithInsecureAlgorithm: true }, (error, found) => {
      if (error) reject(error);
      else resolve(String(found));
    });
  });
}
