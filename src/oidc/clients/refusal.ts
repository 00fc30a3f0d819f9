import type { AssertionEndpoint } from './check-assertion.js';
import type { Client } from './client.js';
import type { ClientCredentials } from './read-client-credentials.js';

/** Why a client could not be authenticated, or got no answer about a token. The caller never learns it. The owner finds it in an event. */
export type RefusalReason =
  /** The request is malformed, or has two proofs at once. */
  | 'requestMalformed'
  | 'applicationInactive'
  /** The application is registered with another method. */
  | 'methodNotRegistered'
  /** The endpoint does not take this method. */
  | 'methodNotAccepted'
  | 'secretWrong'
  | 'secretExpired'
  /** No valid key of the application made the signature. */
  | 'signatureWrong'
  /** `iss`, `sub`, `aud`, `exp`, `iat`, `nbf` or `jti` is wrong or absent. */
  | 'claimsWrong'
  /** The assertion was used before. */
  | 'assertionUsed'
  /** No federated credential of the service user names the issuer of the JWT. */
  | 'issuerNotTrusted'
  /** A federated credential names the issuer, but none its subject with its audience. */
  | 'subjectNotTrusted'
  /** The keys of the outside issuer could not be read. */
  | 'issuerUnavailable'
  /** The API asked about a token of others: its audience has neither the API nor its project. */
  | 'tokenNotForClient'
  /** The API asked about a token for its project, which accepts no tokens of the organization of that client. */
  | 'projectRefusesClient';

/** An authentication of a client that was refused. */
export interface Refusal {
  readonly client: Client;
  readonly reason: RefusalReason;
  /** What the JWT of a trusted outside issuer says, so that an administrator sees what to trust. */
  readonly issuer?: string;
  readonly subject?: string;
  readonly audience?: string;
  /** The client to which the token was issued that an API asked about. Absent for one of another organization. */
  readonly clientId?: string;
  /** How the client tried to authenticate. Absent if that is not certain. */
  readonly method?: ClientCredentials['method'];
  readonly endpoint: AssertionEndpoint;
  /** The address of the caller. */
  readonly address: string;
  /** What the caller says that it is. */
  readonly userAgent?: string | undefined;
}
