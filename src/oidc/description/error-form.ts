import type { ErrorForm } from '#src/http/base/error-form.js';
import type { OAuthErrorCode } from '../protocol/oauth-error.js';

const codes: readonly (OAuthErrorCode | 'invalid_token')[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'invalid_token',
  'server_error',
  'temporarily_unavailable',
];

/** An error of an OAuth endpoint (RFC 6749 section 5.2, RFC 6750 section 3.1). */
const oauthError = {
  title: 'OAuthError',
  description: 'An error of an OAuth endpoint (RFC 6749 section 5.2)',
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', enum: codes },
    error_description: { type: 'string', description: 'What was wrong with this request' },
  },
  additionalProperties: false,
};

/** How the OAuth endpoints answer errors, for the description of the API. */
export const oauthErrorForm: ErrorForm = {
  name: 'OAuth',
  content: () => ({ 'application/json': { schema: oauthError } }),
  unsupportedMedia: 'never',
  // A bearer token in two places (RFC 6750 section 3.1).
  headers: { 400: ['WWW-Authenticate'] },
  forUnknownMethods: false,
};
