import type { OutgoingProblem } from '#src/platform/outgoing/outgoing-error.js';

/** Why a provider, or its answer, could not be used. */
export type ProviderProblem =
  /** The provider did not answer, or not in time, or its certificate or address is not permitted. */
  | 'unreachable'
  /** Its discovery document is missing, or of another issuer. */
  | 'metadataInvalid'
  /** The person cancelled there, or the provider denied the request. */
  | 'cancelled'
  /** The provider answered another error. */
  | 'refusedByProvider'
  /** The answer that came through the browser is not the one that this service waits for: its issuer, its state or its form. */
  | 'answerInvalid'
  /** The token endpoint refused the code or this client. */
  | 'codeRefused'
  /** A claim of the ID token is wrong: its issuer, audience, nonce, time or form. */
  | 'tokenInvalid'
  /** No published key verifies the ID token. */
  | 'signatureInvalid'
  /** The person is of another tenant or domain of the provider than the connection permits. */
  | 'tenantWrong'
  /** The request demanded a fresh sign-in, and the provider does not say that there was one. */
  | 'notFresh'
  /** A SAML assertion is not meant for this request: its issuer, audience, recipient, time or form. */
  | 'assertionInvalid'
  /** A SAML assertion came a second time. */
  | 'assertionUsed'
  /** An encrypted assertion cannot be opened. */
  | 'undecryptable'
  /** A SAML response took too long, or too many waited. */
  | 'tooCostly'
  /** The connection has no secret that can be read. */
  | 'secretMissing';

/** What is wrong with what a provider says of itself, where somebody sets up a connection. Pages have a sentence for each. */
export type ProviderFault =
  | OutgoingProblem
  | 'discoveryMissing'
  | 'githubMissing'
  | 'issuerDiffers'
  | 'addressMissing'
  | 'keysMissing'
  | 'metadataBroken'
  | 'providerMissing'
  | 'severalProviders'
  | 'protocolDiffers'
  | 'outOfDate'
  | 'incomplete'
  | 'certificatesUnusable'
  | 'providerDiffers'
  | 'busy';

/** A provider, or an answer of it, that cannot be used. Its message is for the owner of the connection. It has no text of the provider. */
export class ProviderFailure extends Error {
  readonly problem: ProviderProblem;
  /** Absent where nobody sets up a connection. */
  readonly fault: ProviderFault | undefined;
  /** The member of the discovery document whose address is at fault, such as `jwks_uri`. Absent: none, or the document itself. */
  readonly member: string | undefined;

  constructor(
    problem: ProviderProblem,
    message: string,
    fault?: ProviderFault,
    { member }: { member?: string } = {},
  ) {
    super(message);
    this.name = 'ProviderFailure';
    this.problem = problem;
    this.fault = fault;
    this.member = member;
  }
}
