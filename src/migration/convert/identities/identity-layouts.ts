/** Where an export has the links of a person to accounts at outside identity providers. */
export interface IdentityLayout {
  /** The way to the list of links. */
  readonly path: readonly string[];
  /** The members of a link: the name of the provider, the identifier there, and the name of the account there. */
  readonly provider: string;
  readonly subject: string;
  readonly name?: string;
  /** Providers by which the system means itself. A link to one says what the record says anyway. */
  readonly itself?: readonly string[];
  /** Where the system has the links once more, each as `provider:subject`. */
  readonly copies?: readonly string[];
}

/** `federatedIdentities` of a user of Keycloak. */
export const keycloakIdentities: IdentityLayout = {
  path: ['federatedIdentities'],
  provider: 'identityProvider',
  subject: 'userId',
  name: 'userName',
};

/** `identities` of a user of Auth0. */
export const auth0Identities: IdentityLayout = {
  path: ['identities'],
  provider: 'provider',
  subject: 'user_id',
  itself: ['auth0'],
};

/** `providerUserInfo` of a user of Firebase. */
export const firebaseIdentities: IdentityLayout = {
  path: ['providerUserInfo'],
  provider: 'providerId',
  subject: 'rawId',
  name: 'email',
  itself: ['password', 'phone'],
};

/** The credential `oidc` of an identity of Ory Kratos. It also has tokens of the provider, which are lost. */
export const kratosIdentities: IdentityLayout = {
  path: ['credentials', 'oidc', 'config', 'providers'],
  provider: 'provider',
  subject: 'subject',
  copies: ['credentials', 'oidc', 'identifiers'],
};

/** The answers of `GET /api/identity-provider/link` of FusionAuth, put into the user. */
export const fusionauthIdentities: IdentityLayout = {
  path: ['identityProviderLinks'],
  provider: 'identityProviderId',
  subject: 'identityProviderUserId',
  name: 'displayName',
};
