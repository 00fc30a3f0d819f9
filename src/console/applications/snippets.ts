import { type Html, html } from '#src/http/pages/html.js';
import { card, exact, facts } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type ShownApplication, takesSecret } from './application.js';
import { applicationsTexts } from './texts/texts.js';

/** What the developer of an application needs: addresses, and lines to copy. No secret is in them. */
export function snippets(visit: ConsoleVisit, application: ShownApplication): Html {
  const { at, language } = visit;
  const own = applicationsTexts[language];
  const issuer = at('');
  const isApi = application.type === 'api';
  const addresses = facts([
    [own.clientId, exact(application.clientId)],
    [own.issuer, exact(issuer)],
    [own.discovery, exact(`${issuer}/.well-known/openid-configuration`)],
    [own.authorizationEndpoint, !isApi && exact(at('/oauth/v2/authorize'))],
    [own.tokenEndpoint, !isApi && exact(at('/oauth/v2/token'))],
    [own.introspectionEndpoint, isApi && exact(at('/oauth/v2/introspect'))],
    [own.userinfoEndpoint, !isApi && exact(at('/oidc/v1/userinfo'))],
    [own.keysEndpoint, exact(at('/oauth/v2/keys'))],
  ]);
  const lines = isApi
    ? [[own.introspectByCurl, introspection(visit, application)] as const]
    : [
        [own.tokenByCurl, tokenRequest(visit, application)] as const,
        [own.withOpenidClient, openidClient(visit, application)] as const,
      ];
  return card(
    own.connect,
    html`${addresses}${lines.map(([title, text]) => html`<h3>${title}</h3><pre tabindex="0">${text}</pre>`)}`,
    {
      id: 'connect',
    },
  );
}

/** How the client proves itself in a command. */
function credentials(application: ShownApplication): string {
  if (takesSecret(application)) return ` \\\n  -u ${quoted(application.clientId)}:"$CLIENT_SECRET"`;
  if (application.authMethod === 'none') return ` \\\n  -d client_id=${quoted(application.clientId)}`;
  return ` \\\n  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \\\n  -d client_assertion="$ASSERTION"`;
}

function tokenRequest({ at }: ConsoleVisit, application: ShownApplication): string {
  const redirectUri = application.redirectUris[0] ?? '';
  return `curl ${quoted(at('/oauth/v2/token'))}${credentials(application)} \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  -d code_verifier="$CODE_VERIFIER" \\
  --data-urlencode redirect_uri=${quoted(redirectUri)}`;
}

function introspection({ at }: ConsoleVisit, application: ShownApplication): string {
  return `curl ${quoted(at('/oauth/v2/introspect'))}${credentials(application)} \\\n  -d token="$ACCESS_TOKEN"`;
}

function openidClient({ at }: ConsoleVisit, application: ShownApplication): string {
  const secret = takesSecret(application) ? ', process.env.CLIENT_SECRET' : '';
  return `import * as client from 'openid-client';

const server = new URL(${literal(at(''))});
const config = await client.discovery(server, ${literal(application.clientId)}${secret});
const codeVerifier = client.randomPKCECodeVerifier();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${literal(application.redirectUris[0] ?? '')},
  scope: 'openid profile email',
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
});`;
}

/** A text in single quotes for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as a literal of JavaScript. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
