import Type, { type Static } from 'typebox';
import {
  longestCertificate,
  longestClaimName,
  longestMetadata,
  longestProviderText,
  mostAcrs,
  mostCertificates,
  nameIdFormats,
  type SamlConnection,
  type SamlProvider,
  samlAddresses,
  samlBindings,
  signedParts,
  usualSamlProvider,
} from '#src/connections/registry/index.js';
import { issuerAddress, orEmpty, type ValueShape, visibleText } from '#src/directory/index.js';
import { shapedText, strictObject } from '../http/schemas.js';

const token: ValueShape = { pattern: '^[!-~]{1,200}$' };
const address = (description: string) => shapedText(longestProviderText, issuerAddress, description);
const endpointOf = (description: string) =>
  strictObject(
    {
      address: Type.String({ maxLength: longestProviderText, description: 'An https address' }),
      binding: Type.Enum(samlBindings, {
        description: 'How the browser brings messages there: HTTP-Redirect or HTTP-POST',
      }),
    },
    { description },
  );
const signIn = endpointOf('Where people sign in (SingleSignOnService)');
const signOut = address(
  'Where people sign out (SingleLogoutService with the binding HTTP-Redirect), for requests and answers',
);
const issuer = shapedText(
  longestProviderText,
  visibleText,
  'The entity ID of the provider, exactly as its assertions have it. It never changes',
);
const certificates = Type.Array(Type.String({ maxLength: longestCertificate }), {
  maxItems: mostCertificates,
  description:
    'Certificates of the keys with which the provider signs, in the PEM format or as base64. A signature of any of them counts. Their dates do not',
});
const metadata = Type.String({
  minLength: 1,
  maxLength: longestMetadata,
  description:
    'The metadata of the provider: an XML document, of which the settings are taken that are not given',
});
const metadataUrl = address(
  'Where the metadata of the provider is. It is read at once and every day, for its addresses and certificates',
);
const options = {
  signedPart: Type.Enum(signedParts, {
    description:
      'What the provider signs, and this service demands: the `assertion` itself, or the whole `response`. Only what is signed is read',
  }),
  allowsSha1: Type.Boolean({ description: 'Whether signatures with SHA-1 count. They can be forged' }),
  nameIdFormat: Type.Enum(nameIdFormats, {
    description:
      'The format of the name identifier that is asked for. `emailAddress` and `transient` need a `subjectAttribute`',
  }),
  subjectAttribute: shapedText(
    longestClaimName,
    orEmpty(token),
    'The attribute that never changes and identifies a person. Empty: the name identifier does',
  ),
  signsRequests: Type.Boolean({
    description: 'Whether requests to the provider are signed with the key of the connection',
  }),
  startsAtProvider: Type.Boolean({
    description:
      'Whether a sign-in may begin at the provider. It then leads to a new request there; an answer without a request never counts',
  }),
  endsSession: Type.Boolean({
    description:
      'Whether a sign-out here goes on to the provider, by single logout. It needs `signOut`, and the certificate of the connection at the provider, because all messages are signed then',
  }),
  passesLoginHint: Type.Boolean({
    description:
      'Whether the login name that a person typed goes to the provider as the parameter `login_hint`, as Entra and Okta take it',
  }),
  multiFactorAcrs: Type.Array(shapedText(longestClaimName, token), {
    maxItems: mostAcrs,
    description: 'Classes of authentication contexts (AuthnContextClassRef) that mean several factors',
  }),
};

const optionalOf = <T extends Record<string, Type.TSchema>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof T]: Type.TOptional<T[K]>;
  };

const described = optionalOf({ issuer, signIn, certificates, metadata });

export const samlProviderToAdd = strictObject({
  ...described,
  metadataUrl: Type.Optional(metadataUrl),
  signOut: Type.Optional(signOut),
  ...optionalOf(options),
});

export const samlProviderChange = strictObject({
  ...described,
  metadataUrl: Type.Optional(
    Type.Union([metadataUrl, Type.Null()], { description: 'null: it is not read any more' }),
  ),
  signOut: Type.Optional(
    Type.Union([signOut, Type.Null()], { description: 'null: the provider has no single logout' }),
  ),
  ...optionalOf(options),
});

const shownText = Type.String();
const shownEndpoint = Type.Object({ address: shownText, binding: Type.Enum(samlBindings) });

export const shownSamlProvider = Type.Object({
  issuer: shownText,
  signIn: shownEndpoint,
  signOut: Type.Optional(shownText),
  certificates: Type.Array(shownText),
  unusableCertificates: Type.Integer({
    description:
      'How many certificates of the metadata were left out, because they are of no RSA key of 2048 to 8192 bits',
  }),
  metadataUrl: Type.Optional(shownText),
  ...options,
  subjectAttribute: Type.Optional(shownText),
  multiFactorAcrs: Type.Array(shownText),
});

/** What the provider must know of this service. */
export const shownService = Type.Object({
  entityId: Type.String({
    description: 'The entity ID of this service. Its metadata is at the same address',
  }),
  acsUrl: Type.String({ description: 'The assertion consumer service (ACS): where responses go' }),
  sloUrl: Type.String({ description: 'The single logout service (SLO): where logout messages go' }),
  certificate: Type.String({
    description: 'The certificate of the connection, for signatures of requests and for encrypted assertions',
  }),
});

/** The provider of a new connection. What the body leaves out comes from its metadata, or gets its default. */
export function newSamlProvider(
  { metadata: _metadata, ...given }: Static<typeof samlProviderToAdd>,
  fromMetadata: Partial<SamlProvider> = {},
): SamlProvider {
  return {
    ...{ issuer: '', signIn: { address: '', binding: 'redirect' }, certificates: [] },
    ...usualSamlProvider,
    ...fromMetadata,
    ...given,
    ...byHand(given),
  };
}

/** Certificates that are given by hand take the place of those of the metadata. */
export function byHand({ certificates }: { certificates?: readonly string[] }): Partial<SamlProvider> {
  return certificates === undefined ? {} : { unusableCertificates: 0 };
}

/** What responses have of a SAML connection alone. */
export function samlResponse(config: { readonly baseUrl: string }, connection: SamlConnection) {
  const { provider, ownKey } = connection;
  const { entityId, acsUrl, sloUrl } = samlAddresses(config, connection);
  return {
    protocol: 'saml' as const,
    service: { entityId, acsUrl, sloUrl, certificate: ownKey?.certificate ?? '' },
    provider: {
      ...provider,
      endsSession: provider.endsSession ?? false,
      passesLoginHint: provider.passesLoginHint ?? false,
      certificates: [...provider.certificates],
      unusableCertificates: provider.unusableCertificates ?? 0,
      multiFactorAcrs: [...provider.multiFactorAcrs],
    },
  };
}
