/** Why somebody whom a provider confirmed may not sign in. */
export type PersonRefusal =
  /** No rule links the identity to a person, and the connection creates nobody. */
  | 'unknownPerson'
  | 'inactive'
  /** Too many failures, at a browser in which the person has not signed in before. */
  | 'locked'
  /** The person has a role in the instance or in another organization. */
  | 'roleOutside'
  /** Several people have the identifier or the address. */
  | 'ambiguous'
  /** The organization has no room for another user. */
  | 'quotaFull'
  /** Another person has the login name, or another value that is unique. */
  | 'valueTaken'
  /** The person has 20 identities already. */
  | 'tooManyIdentities'
  /** The identity belongs to another person. */
  | 'identityTaken';

/** Thrown if the person may not sign in by the connection. It is no fault: the person gets a page, and the owner an event. */
export class PersonRefused extends Error {
  readonly reason: PersonRefusal;
  /** The person, if it is known. */
  readonly userId: string | undefined;
  /** For the owner of the connection, without any text of the provider. '' if the reason says it all. */
  readonly detail: string;

  constructor(reason: PersonRefusal, userId?: string, detail = '') {
    super(`The person may not sign in by the connection: ${reason}`);
    this.name = 'PersonRefused';
    this.reason = reason;
    this.userId = userId;
    this.detail = detail;
  }
}
