import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import type { Application } from '#src/clients/applications/index.js';
import type { ReadIdTokenHint } from '../issuance/read-id-token-hint.js';
import { checkClaims } from './checks/check-claims.js';
import { checkMaxAge } from './checks/check-max-age.js';
import { checkNonce } from './checks/check-nonce.js';
import { checkPkce } from './checks/check-pkce.js';
import { checkPrompt } from './checks/check-prompt.js';
import { checkResponseType } from './checks/check-response-type.js';
import { checkScope } from './checks/check-scope.js';
import { checkState } from './checks/check-state.js';
import { readAcrValues } from './checks/read-acr-values.js';
import { readHints } from './checks/read-hints.js';
import { refuseMalformed } from './checks/refuse-malformed.js';
import { refuseRequestObjects } from './checks/refuse-request-objects.js';
import { type AuthorizeParameters, readAuthorizeParameters } from './request/authorize-parameters.js';
import { checkRedirectUri } from './request/check-redirect-uri.js';
import { chooseResponseMode } from './request/choose-response-mode.js';
import { type FindApplication, findClient } from './request/find-client.js';

/** Where and how the response is sent, be it a success or an error. */
export type ResponseTarget = Pick<
  AuthorizationRequest,
  'clientId' | 'redirectUri' | 'responseMode' | 'state'
>;

/** The checked parameters of a request. */
export type CheckedRequest = Omit<AuthorizationRequest, 'id' | 'created' | 'sessionId'>;

/**
 * The steps that find the application and the redirect URI. The person sees their errors.
 * @throws ShownError
 */
export async function findTarget(
  findApplication: FindApplication,
  parameters: AuthorizeParameters,
): Promise<{ application: Application; target: ResponseTarget }> {
  const application = await findClient(findApplication, parameters);
  const redirectUri = checkRedirectUri(application, parameters);
  const responseMode = chooseResponseMode(parameters);
  const state = parameters.get('state');
  const target = {
    clientId: application.id,
    redirectUri,
    responseMode,
    ...(state !== undefined && { state }),
  };
  return { application, target };
}

/**
 * The steps whose result the application may have changed since {@link checkRequest}: what it may ask for, and what it must send.
 * @throws RedirectedError
 */
export function checkAgain(application: Application, request: AuthorizationRequest): void {
  const { responseType, scope, codeChallenge } = request;
  const parameters = readAuthorizeParameters({
    response_type: responseType,
    scope,
    ...(codeChallenge !== undefined && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  });
  checkResponseType(application, parameters);
  checkScope(application, parameters, responseType);
  checkPkce(parameters, { authMethod: application.authMethod, responseType });
}

/**
 * The steps that check the request (OpenID Connect Core section 3.1.2.2). If several would fail, the first in
 * this order decides. The client receives their errors.
 * @throws RedirectedError
 */
export async function checkRequest(
  readIdTokenHint: ReadIdTokenHint,
  { application, target }: { application: Application; target: ResponseTarget },
  parameters: AuthorizeParameters,
): Promise<CheckedRequest> {
  refuseMalformed(parameters);
  refuseRequestObjects(parameters);
  checkState(parameters);
  const responseType = checkResponseType(application, parameters);
  const scope = checkScope(application, parameters, responseType);
  const codeChallenge = checkPkce(parameters, { authMethod: application.authMethod, responseType });
  const nonce = checkNonce(parameters, responseType);
  const prompts = checkPrompt(parameters);
  const maxAge = checkMaxAge(parameters);
  const acrValues = readAcrValues(parameters);
  const asked = checkClaims(parameters);
  const hints = await readHints(readIdTokenHint, parameters);
  return {
    ...target,
    responseType,
    scope,
    ...(codeChallenge !== undefined && { codeChallenge }),
    ...(nonce !== undefined && { nonce }),
    prompts,
    ...(maxAge !== undefined && { maxAge }),
    ...(acrValues.length > 0 && { acrValues }),
    ...asked,
    ...hints,
  };
}
