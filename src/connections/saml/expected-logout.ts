/** A logout request of a provider, and what it must fit. It goes to a thread, so it has values alone. */
export interface ExpectedLogout {
  /** The field `SAMLRequest` of the form, or the whole query of the address (SAML Bindings sections 3.4.4.1 and 3.5.4). */
  readonly message: string;
  readonly binding: 'redirect' | 'post';
  /** The provider: the `Issuer`. */
  readonly entityId: string;
  /** Certificates of the provider in the PEM format. */
  readonly certificates: readonly string[];
  readonly allowsSha1: boolean;
  /** The address to which the request was to be sent: the `Destination`. */
  readonly destination: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Whose sessions a provider ends. All of it is covered by the signature. */
export interface LogoutOrder {
  readonly id: string;
  /** The name identifier with which the person signed in. */
  readonly nameId: string;
  /** The sessions at the provider. Empty: all of the person. */
  readonly sessionIndexes: readonly string[];
  /** The RelayState of the address. Absent for a form, whose signature covers the document alone. */
  readonly relayState?: string;
}

/** The parameters that the signature of an address covers, and the signature. */
export interface SignedQuery {
  readonly SAMLRequest: string;
  readonly RelayState?: string;
  readonly SigAlg: string;
  readonly Signature: string;
  /** The signed parameters as they came, in the order in which they are signed. */
  readonly signed: string;
}
