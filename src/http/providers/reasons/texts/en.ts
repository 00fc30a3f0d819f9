/** English. */
export const en = {
  unreachable:
    'The provider does not answer. Press "Test the provider". Look at its state page and at its address.',
  metadataInvalid:
    'The discovery document is missing or names another issuer. Compare the issuer letter by letter.',
  cancelled:
    'The person ended the sign-in at the provider, or the provider did not let the person in. Look at who may use the application there.',
  refusedByProvider:
    'The provider answered with an error. Compare callback address, client ID and scopes with its application.',
  answerInvalid:
    'The answer did not fit the request. If it happens often, compare the issuer, and whether the provider answers by a form.',
  codeRefused:
    'The provider refused the client secret or the code. Most often the secret is wrong or has expired. Set a new one.',
  tokenInvalid: 'The ID token is not for this connection, or a clock is wrong. Compare client ID and issuer.',
  signatureInvalid:
    'The signature of the ID token does not fit the keys of the provider. Press "Test the provider".',
  tenantWrong:
    'The person is of another tenant or domain of the provider. That is as it should be, if you do not know the person.',
  notFresh:
    'A fresh sign-in was needed, and the provider does not say when the person signed in. For Entra, add the optional claim auth_time.',
  secretMissing: 'The secret cannot be read any more. Set it again.',
  connectionOff: 'The connection was switched off meanwhile.',
  unknownPerson:
    'No user is linked, and no rule links one. Provision the person, link the person, or let the connection create users.',
  inactive: 'The user is inactive here. Activate the user, or leave it so.',
  locked: 'The user is locked after too many wrong passwords. Unlock the user, or wait.',
  roleOutside:
    'The user has a role in the instance or in another organization. Such a user signs in with a password or a passkey.',
  ambiguous: 'Several users have this identifier or address. Change it at all but one.',
  quotaFull: 'The organization has no room for another user. Remove users, or ask for a larger quota.',
  valueTaken:
    'Another user has the login name or another unique value. Link the person to that user, or change the value.',
  tooManyIdentities: 'The user has 20 identities. Remove one.',
  identityTaken: 'The identity belongs to another user.',
  assertionInvalid:
    'The assertion does not fit this request: its audience, address, time or subject. Compare the entity ID and the ACS, and read the detail.',
  assertionUsed: 'The same assertion came a second time. The person can sign in again.',
  undecryptable:
    'The encrypted assertion cannot be opened. Give the provider the certificate of this connection.',
  tooCostly: 'The response took too long to read, or too many came at once.',
};

/** Why a sign-in by a connection was refused, and what to do. */
export type RefusalReasons = { readonly [Key in keyof typeof en]: string };
