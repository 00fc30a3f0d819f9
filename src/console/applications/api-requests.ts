import type { Html } from '#src/http/pages/html.js';
import { codeBlock } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type ShownApplication, takesSecret } from '../resources/application.js';
import { audienceScope } from '../resources/project.js';

/** An API as the requests of its callers need it. */
export type CalledApi = Pick<ShownApplication, 'clientId' | 'authMethod'>;

/** What an application asks for at the authorization endpoint. */
export function scopeParameter(projectId: string): Html {
  return codeBlock(`openid profile ${audienceScope(projectId)}`);
}

/** Gets a token for a program without a person. @param programId the client_id of a service user, if it is known */
export function programRequest(
  { at }: Pick<ConsoleVisit, 'at'>,
  projectId: string,
  programId = '"$PROGRAM_ID"',
): Html {
  return codeBlock(`TOKEN=$(curl -sS ${at('/oauth/v2/token')} \\
  -u ${programId}:"$PROGRAM_SECRET" \\
  -d grant_type=client_credentials \\
  -d scope=${audienceScope(projectId)} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`);
}

/** Asks whether the token is valid for the API. */
export function introspectionRequest({ at }: Pick<ConsoleVisit, 'at'>, api: CalledApi): Html {
  const proof = takesSecret(api)
    ? `-u ${api.clientId}:"$CLIENT_SECRET"`
    : '-d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \\\n  -d client_assertion="$ASSERTION"';
  return codeBlock(`curl -sS ${at('/oauth/v2/introspect')} \\\n  ${proof} \\\n  -d token="$TOKEN"`);
}

/** Calls an API with a token. */
export function bearerRequest(): Html {
  return codeBlock('curl -sS "$ADDRESS_OF_THE_API" -H "Authorization: Bearer $TOKEN"');
}
