import type { DocumentNode } from '../base/description.js';

/** The ways in which callers prove themselves. The names are those of `security` of the routes. */
export function securitySchemes(issuer: string): Record<string, DocumentNode> {
  const tokenUrl = `${issuer}/oauth/v2/token`;
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token or a personal access token of a service user. SCIM and the administration also take the access token of a person with the scope urn:service:iam:admin',
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description:
        'client_id and client_secret, each form-urlencoded. A client may instead send them in the form, or sign a client_assertion',
    },
    person: {
      type: 'oauth2',
      description: 'An access token that an application got for a person',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/oauth/v2/authorize`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes: { openid: 'Sign in' },
        },
      },
    },
  };
}
