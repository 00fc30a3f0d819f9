import { OAuthError } from '../../protocol/oauth-error.js';
import { type Parameters, requireParameter } from '../../protocol/parameters.js';

/** Identifiers of token types (RFC 8693 section 3), and a type of this service for a bare user identifier. */
export const tokenTypes = {
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
  refreshToken: 'urn:ietf:params:oauth:token-type:refresh_token',
  idToken: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  userId: 'urn:service:params:oauth:token-type:user_id',
} as const;

const { accessToken, idToken, jwt, userId } = tokenTypes;

/** The token types that each role accepts. No role accepts a refresh token. */
const allowed = {
  subject: [accessToken, idToken, jwt, userId],
  actor: [accessToken, idToken],
  requested: [accessToken, idToken, jwt],
} as const;

type SubjectTokenType = (typeof allowed.subject)[number];
export type ActorTokenType = (typeof allowed.actor)[number];
export type RequestedTokenType = (typeof allowed.requested)[number];

/** The parameters of an exchange (RFC 8693 section 2.1). */
export interface ExchangeParameters {
  readonly subject: { readonly token: string; readonly type: SubjectTokenType };
  readonly actor: { readonly token: string; readonly type: ActorTokenType } | undefined;
  readonly requested: RequestedTokenType;
  /** Absent means the audience of the subject token. */
  readonly audience: readonly string[] | undefined;
}

/**
 * Reads the parameters, and checks the combination of token types.
 * @throws OAuthError `invalid_request`, `invalid_target` for a resource
 */
export function readExchange(parameters: Parameters): ExchangeParameters {
  const subjectToken = requireParameter(parameters, 'subject_token');
  const subjectType = oneOf('subject', requireParameter(parameters, 'subject_token_type'));
  if (parameters.has('resource')) throw new OAuthError('invalid_target', 'resource is not supported');
  const actor = readActor(parameters);
  if (actor === undefined && (subjectType === jwt || subjectType === userId)) {
    throw new OAuthError('invalid_request', 'This subject_token_type needs an actor_token');
  }
  const audience = parameters
    .get('audience')
    ?.split(' ')
    .filter((name) => name !== '');
  return {
    subject: { token: subjectToken, type: subjectType },
    actor,
    requested: oneOf('requested', parameters.get('requested_token_type') ?? accessToken),
    audience: audience === undefined || audience.length === 0 ? undefined : [...new Set(audience)],
  };
}

function readActor(parameters: Parameters): ExchangeParameters['actor'] {
  const token = parameters.get('actor_token');
  const type = parameters.get('actor_token_type');
  if (token === undefined && type === undefined) return undefined;
  if (token === undefined || type === undefined) {
    throw new OAuthError('invalid_request', 'actor_token and actor_token_type go together');
  }
  return { token, type: oneOf('actor', type) };
}

function oneOf<Role extends keyof typeof allowed>(role: Role, given: string): (typeof allowed)[Role][number] {
  const types: readonly string[] = allowed[role];
  if (!types.includes(given)) {
    throw new OAuthError('invalid_request', `This type is not supported for the ${role} token`);
  }
  return given as (typeof allowed)[Role][number];
}
