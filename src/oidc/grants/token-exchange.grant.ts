import { splitScope } from '#src/authorization/scope.js';
import { tokenExchangeType } from '#src/clients/applications/index.js';
import { readFeatures } from '#src/organizations/features/index.js';
import { newId } from '#src/platform/ids.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import { type Client, clientId, clientOrgId, idTokenSettings } from '../clients/client.js';
import { mayRefresh } from '../issuance/issue-tokens.js';
import { type MadeTokens, type MakeTokensDeps, makeTokens } from '../issuance/make-tokens.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { type ResolveDeps, type ResolvedExchange, resolveExchange } from './exchange/resolve-exchange.js';
import { readExchange, tokenTypes } from './exchange/token-types.js';
import type { Grant } from './grant.js';
import { type RecordImpersonationDeps, recordImpersonation } from './record-impersonation.js';
import type { TokenResponse } from './token-response.js';

export type TokenExchangeDeps = MakeTokensDeps &
  ResolveDeps &
  RecordImpersonationDeps &
  Parameters<typeof readFeatures>[0] & {
    readonly refreshTokens: Pick<RefreshTokens, 'begin'>;
  };

/**
 * Token exchange (RFC 8693). It issues a narrower token of the subject, or a token with which an actor acts
 * as the subject.
 */
export function tokenExchangeGrant(deps: TokenExchangeDeps): Grant {
  return {
    enabled: async () => (await readFeatures(deps)).tokenExchange,
    allows: (client) =>
      client.kind === 'serviceUser' || client.application.grantTypes.includes(tokenExchangeType),

    async prepare({ client, parameters }) {
      const exchange = await resolveExchange(deps, client, readExchange(parameters));
      return {
        limit: { kind: 'granted', scope: exchange.grantable, byDefault: exchange.scope },
        audienceFor: () => exchange.audience,
        async issue(scope) {
          const familyId = mayBeginFamily(client, exchange, scope) ? newId() : undefined;
          const made = await makeTokens(deps, orderOf(client, { exchange, scope, familyId }));
          const { actors, subject, audience } = exchange;
          await recordImpersonation(deps, { actors, subject, clientId: clientId(client), scope, audience });
          const refreshToken =
            familyId === undefined ? undefined : await begin(deps, client, { exchange, scope, familyId });
          return answer({ exchange, made, scope, refreshToken });
        },
      };
    },
  };
}

/** An exchanged ID token belongs to no grant that a refresh token could renew. */
function mayBeginFamily(client: Client, { requested }: ResolvedExchange, scope: string): boolean {
  if (requested === tokenTypes.idToken) return false;
  return client.kind === 'application'
    ? mayRefresh(client.application, scope)
    : splitScope(scope).has('offline_access');
}

interface Decided {
  readonly exchange: ResolvedExchange;
  readonly scope: string;
  readonly familyId: string | undefined;
}

function orderOf(client: Client, { exchange, scope, familyId }: Decided) {
  const { requested, subject, audience, sessionId, authTime, amr, act, actorAuthTime, origins, expiresAt } =
    exchange;
  const onlyIdToken = requested === tokenTypes.idToken;
  return {
    subject,
    clientId: clientId(client),
    clientOrgId: clientOrgId(client),
    audience,
    scope,
    ...(!onlyIdToken && {
      accessToken: requested === tokenTypes.jwt ? ('jwt' as const) : ('opaque' as const),
    }),
    idToken: onlyIdToken || splitScope(scope).has('openid'),
    ...idTokenSettings(client),
    // The token ends with the refresh family of the token from which it was made.
    familyId: familyId ?? exchange.familyId,
    sessionId,
    authTime,
    amr,
    act,
    actorAuthTime,
    origins,
    notAfter: expiresAt,
  };
}

async function begin(
  { refreshTokens }: TokenExchangeDeps,
  client: Client,
  { exchange, scope, familyId }: Decided & { familyId: string },
): Promise<string> {
  const { subject, audience, sessionId, authTime, amr, act, origins, expiresAt } = exchange;
  return refreshTokens.begin({
    id: familyId,
    clientId: clientId(client),
    userId: subject.user.id,
    orgId: subject.user.orgId,
    scope,
    audience,
    amr: amr ?? [],
    origins,
    notAfter: new Date(expiresAt * 1000),
    ...(sessionId !== undefined && { sessionId }),
    ...(authTime !== undefined && { authTime }),
    ...(act !== undefined && { act }),
  });
}

/** RFC 8693 section 2.2.1: `access_token` carries the issued token, whatever its type. */
function answer({
  exchange,
  made,
  scope,
  refreshToken,
}: {
  exchange: ResolvedExchange;
  made: MadeTokens;
  scope: string;
  refreshToken: string | undefined;
}): TokenResponse {
  const { accessToken, idToken, expiresIn } = made;
  const issued = accessToken ?? idToken;
  if (issued === undefined) throw new OAuthError('server_error', 'Nothing was issued');
  return {
    access_token: issued,
    issued_token_type: exchange.requested,
    token_type: accessToken === undefined ? 'N_A' : 'Bearer',
    expires_in: expiresIn,
    scope,
    ...(accessToken !== undefined && idToken !== undefined && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}
