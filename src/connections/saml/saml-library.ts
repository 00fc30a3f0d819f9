import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { decrypt } from 'xml-encryption';
import { ProviderFailure } from '../provider/provider-failure.js';
import type { NameIdFormat } from '../registry/saml-provider.js';
import type { ExpectedLogout, SignedQuery } from './expected-logout.js';
import type { ExpectedResponse } from './expected-response.js';
import { nameIdUrns } from './saml-names.js';
import type {
  Departure,
  OurDescription,
  OurSide,
  WantedLogout,
  WantedLogoutAnswer,
  WantedRequest,
} from './saml-tasks.js';

/** The only file that knows the library of SAML. What the library alone decides is whether a signature is right, and what it covers. */

/** The library keeps nothing. Waiting requests and used assertions are in Redis. */
const noCache = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/**
 * Verifies the signatures of a response whose form was checked.
 * @param response `signed`: which elements have a signature. Each of them must be right
 * @returns the assertion as its signature covers it
 * @throws ProviderFailure `signatureInvalid`, `assertionInvalid`
 */
export async function signedAssertion({
  text,
  signed,
  expected,
}: {
  text: string;
  signed: { readonly response: boolean; readonly assertion: boolean };
  expected: ExpectedResponse;
}): Promise<string> {
  const { acsUrl, audience, certificates, privateKey } = expected;
  const saml = new SAML({
    callbackUrl: acsUrl,
    issuer: audience,
    idpCert: [...certificates],
    wantAuthnResponseSigned: signed.response,
    wantAssertionsSigned: signed.assertion,
    ...(privateKey !== undefined && { decryptionPvk: privateKey }),
    // `readSamlAssertion` checks the audience, the times and the request, by the clock of this service.
    audience: false,
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
    cacheProvider: noCache,
  });
  try {
    const { profile } = await saml.validatePostResponseAsync({
      SAMLResponse: Buffer.from(text).toString('base64'),
    });
    const xml = profile?.getAssertionXml?.();
    if (xml !== undefined) return xml;
  } catch (error) {
    // The signature was right. The messages of the library can have texts of the provider.
    if (error instanceof Error && error.message.startsWith('Error parsing'))
      throw new ProviderFailure('assertionInvalid', 'The assertion lacks a time, or has one that is none');
  }
  throw new ProviderFailure('signatureInvalid', 'No certificate of the connection verifies the signature');
}

/**
 * Verifies the signature of a logout request whose form was checked: that of the address, or that of the document.
 * @throws ProviderFailure `signatureInvalid`
 */
export async function requireSignedRequest({
  text,
  query,
  expected: { destination, entityId, certificates },
}: {
  text: string;
  query: SignedQuery | undefined;
  expected: ExpectedLogout;
}): Promise<void> {
  const saml = new SAML({
    callbackUrl: destination,
    issuer: destination,
    idpCert: [...certificates],
    idpIssuer: entityId,
    acceptedClockSkewMs: -1,
    cacheProvider: noCache,
  });
  try {
    if (query === undefined) {
      await saml.validatePostRequestAsync({ SAMLRequest: Buffer.from(text).toString('base64') });
    } else {
      const { signed, ...parameters } = query;
      await saml.validateRedirectAsync(parameters, signed);
    }
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
