/** A provider of SAML 2.0, and how it signs people in. */
export interface SamlProvider {
  /** Its entity ID: the `Issuer`, compared whole. It never changes, because subjects are unique at one provider alone. */
  readonly issuer: string;
  /** Where people sign in. */
  readonly signIn: SamlEndpoint;
  /** Where people sign out, by the binding HTTP-Redirect. Absent: the provider has no single logout. */
  readonly signOut?: string;
  /** Whether a sign-out here goes on to the provider. Absent: no. */
  readonly endsSession?: boolean;
  /** Whether the login name that a person typed goes to the provider as `login_hint`, beside the request. Absent: no. */
  readonly passesLoginHint?: boolean;
  /** Certificates of its keys in the PEM format. A signature of any of them counts, so that the provider can change its key. */
  readonly certificates: readonly string[];
  /** How many certificates of the metadata were left out, because this service verifies no signature of their keys. Absent: none. */
  readonly unusableCertificates?: number;
  /** Where its metadata is. It is read every day, for its addresses and certificates. */
  readonly metadataUrl?: string;
  /** Which part of a response the provider signs, and this service demands. */
  readonly signedPart: SignedPart;
  /** Whether signatures with SHA-1 count. */
  readonly allowsSha1: boolean;
  /** The format of the name identifier that is asked for. */
  readonly nameIdFormat: NameIdFormat;
  /** The attribute that never changes and is the subject. Absent: the name identifier is. */
  readonly subjectAttribute?: string;
  /** Whether requests are signed with the key of the connection. */
  readonly signsRequests: boolean;
  /** Whether a sign-in may begin at the provider. It leads to a new request, and no answer without a request counts. */
  readonly startsAtProvider: boolean;
  /** Classes of authentication contexts that mean several factors. */
  readonly multiFactorAcrs: readonly string[];
}

/** A name identifier (SAML Core section 2.2.2). */
export interface NameId {
  readonly value: string;
  readonly format?: string;
  readonly nameQualifier?: string;
  readonly spNameQualifier?: string;
}

/** Whom a provider has signed in, as its assertion named the person. */
export interface PersonAtProvider {
  readonly nameId: NameId;
  readonly sessionIndex?: string;
}

/** An address of a provider, and how a browser brings messages there (SAML Bindings sections 3.4 and 3.5). */
export interface SamlEndpoint {
  readonly address: string;
  readonly binding: SamlBinding;
}

export const samlBindings = ['redirect', 'post'] as const;

export type SamlBinding = (typeof samlBindings)[number];

export const signedParts = ['assertion', 'response'] as const;

export type SignedPart = (typeof signedParts)[number];

/** SAML Core section 8.3. An address or a transient identifier is no subject, so these need an attribute. */
export const nameIdFormats = ['persistent', 'unspecified', 'emailAddress', 'transient'] as const;

export type NameIdFormat = (typeof nameIdFormats)[number];

/** What a provider is unless somebody says otherwise. */
export const usualSamlProvider = {
  signedPart: 'assertion',
  allowsSha1: false,
  nameIdFormat: 'persistent',
  signsRequests: false,
  startsAtProvider: false,
  multiFactorAcrs: [],
} as const satisfies Partial<SamlProvider>;

/** Two for a change of the key, and some that a provider publishes in advance. */
export const mostCertificates = 6;
/** The longest certificate, in characters. */
export const longestCertificate = 10_000;
/** The longest document of metadata, in characters. That of ADFS has about 80,000. */
export const longestMetadata = 262_144;
