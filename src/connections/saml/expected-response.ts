import type { NameId, SignedPart } from '../registry/saml-provider.js';

/** A SAML response, and what it must fit. It goes to a thread, so it has values alone. */
export interface ExpectedResponse {
  /** The field `SAMLResponse` of the form: base64. */
  readonly response: string;
  /** The provider: the `Issuer` of the assertion. */
  readonly entityId: string;
  /** Certificates of the provider in the PEM format. A signature of any of their keys counts. Their dates do not. */
  readonly certificates: readonly string[];
  /** Which signature is demanded: that of the assertion itself, or that of the whole response with the assertion in it. */
  readonly signed: SignedPart;
  readonly allowsSha1: boolean;
  /** The key of the connection, in the PEM format. It opens encrypted assertions. */
  readonly privateKey?: string;
  /** Where the response was to be sent: the `Recipient`. */
  readonly acsUrl: string;
  /** The entity ID of this service at the provider. */
  readonly audience: string;
  /** The `ID` of the authentication request: `InResponseTo`. */
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a provider says of a person. All of it is covered by the signature. */
export interface SamlAssertion {
  readonly id: string;
  readonly nameId?: NameId;
  /** The values of each attribute by its `Name`. */
  readonly attributes: readonly (readonly [name: string, values: readonly string[]])[];
  readonly sessionIndex?: string;
  /** The class of the authentication context, such as that of passwords (SAML Authentication Context). */
  readonly authnContext?: string;
  /** When the person proved itself at the provider, in milliseconds since 1970. */
  readonly authnInstant: number;
  /** When the session at the provider ends, in milliseconds since 1970. */
  readonly sessionEnds?: number;
}

/** The longest response, in bytes. */
export const longestResponse = 262_144;
