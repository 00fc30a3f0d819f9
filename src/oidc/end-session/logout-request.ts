import { maxClientIdLength } from '#src/authorization/find-application.js';
import type { Application } from '#src/clients/applications/index.js';
import { ShownError, unregisteredAddress } from '../authorize/request/errors.js';
import type { FindApplication } from '../authorize/request/find-client.js';
import { type IdTokenHint, maxHintLength, type ReadIdTokenHint } from '../issuance/read-id-token-hint.js';

/** Parameters of the end session endpoint (RP-Initiated Logout section 2). */
export const logoutParameterNames = [
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'logout_hint',
  'ui_locales',
] as const;

type LogoutParameterName = (typeof logoutParameterNames)[number];

export type LogoutParameters = Partial<Record<LogoutParameterName, string>>;

/** A client's request to sign a person out. */
export interface LogoutRequest {
  /** The ID token that the client shows, if this service issued it. */
  readonly hint?: IdTokenHint;
  /** The login name of the person to sign out. */
  readonly loginName?: string;
  /** The address to go to afterwards, and the application that registered it. */
  readonly target?: { readonly redirectUri: string; readonly application: Application };
  readonly state?: string;
}

interface LogoutRequestDeps {
  readonly readIdTokenHint: ReadIdTokenHint;
  readonly findApplication: FindApplication;
}

/** The longest accepted value of most parameters, in characters. */
const maxValueLength = 8_192;

/** The longest accepted value of a parameter, in characters. The description of the API has the same. */
export function longestLogoutValue(name: LogoutParameterName): number {
  if (name === 'client_id') return maxClientIdLength;
  return name === 'id_token_hint' ? maxHintLength : maxValueLength;
}

/**
 * Reads a decoded query or form.
 * @throws ShownError for a repeated or oversized parameter
 */
export function readLogoutParameters(source: unknown): LogoutParameters {
  const given = (source ?? {}) as Record<string, unknown>;
  const parameters: LogoutParameters = {};
  for (const name of logoutParameterNames) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (Array.isArray(value)) {
      throw new ShownError('invalid_request', `The parameter ${name} must not be sent more than once`);
    }
    if (typeof value !== 'string' || value === '') continue;
    const longest = longestLogoutValue(name);
    if (value.length > longest) {
      const detail = `The parameter ${name} is too long: more than ${longest} characters`;
      throw new ShownError('invalid_request', detail);
    }
    parameters[name] = value;
  }
  return parameters;
}

/**
 * Checks a request. A hint that this service did not sign proves nothing, and the request then never
 * redirects. An expired hint counts like a valid one.
 * @throws ShownError for two different clients, and for an address that the client did not register
 */
export async function checkLogoutRequest(
  { readIdTokenHint, findApplication }: LogoutRequestDeps,
  parameters: LogoutParameters,
): Promise<LogoutRequest> {
  const { id_token_hint: idToken, client_id: givenClientId, logout_hint: loginName } = parameters;
  const hint = idToken === undefined ? undefined : await readIdTokenHint(idToken);
  if (hint !== undefined && givenClientId !== undefined && hint.clientId !== givenClientId) {
    throw new ShownError('invalid_request', 'client_id is not the client of the id_token_hint');
  }
  const isForged = idToken !== undefined && hint === undefined;
  const clientId = hint?.clientId ?? givenClientId;
  const { post_logout_redirect_uri: redirectUri, state } = parameters;
  const asked = { ...(hint !== undefined && { hint }), ...(loginName !== undefined && { loginName }) };
  if (redirectUri === undefined || clientId === undefined || isForged) return asked;
  const application = requireRegisteredAt(await findApplication(clientId), redirectUri);
  return { ...asked, target: { redirectUri, application }, ...(state !== undefined && { state }) };
}

function requireRegisteredAt(application: Application | undefined, redirectUri: string): Application {
  if (application?.postLogoutRedirectUris.includes(redirectUri)) return application;
  throw unregisteredAddress({ name: 'post_logout_redirect_uri', value: redirectUri });
}
