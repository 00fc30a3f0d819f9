import { amrOf } from '#src/authentication/proofs/index.js';
import type { Application } from '#src/clients/applications/application.js';
import type { User } from '#src/directory/user.js';
import { createCodesStore } from '#src/oidc/authorize/codes.store.js';
import type { Session } from '#src/sessions/session.js';
import type { Setting } from '../setting.js';
import { type ClientCredentials, pkce, redirectUri, type Side, scope } from './oidc-side.js';

/** A person who has signed in to an application. */
export interface SignedIn {
  readonly user: User;
  readonly session: Pick<Session, 'id' | 'authTime' | 'proofs'>;
  readonly client: ClientCredentials;
}

export const settings = {
  name: 'Bench',
  type: 'web',
  redirectUris: [redirectUri],
} as const satisfies Partial<Application>;

/** The lifetime of codes. It is longer than usual, because the codes are made before a round begins. */
const codeSeconds = 600;

/**
 * This product as a side. It takes codes from its own store, as the authorization endpoint writes them.
 * @param asked the scopes that the application asks for
 */
export function ownSide({ container, baseUrl }: Setting, who: () => SignedIn, asked = scope): Side {
  const { redis, clock, config } = container;
  const prefix = config.redisPrefix;
  const { accessTokenSeconds } = config;
  const codes = createCodesStore({ redis, prefix, clock, codeSeconds, accessTokenSeconds });
  const make = async () => {
    const { user, session, client } = who();
    const code = await codes.issue({
      clientId: client.id,
      redirectUri,
      userId: user.id,
      orgId: user.orgId,
      sessionId: session.id,
      scope: asked,
      codeChallenge: pkce.challenge,
      authTime: session.authTime,
      amr: amrOf(session.proofs),
    });
    return { code, client };
  };
  return {
    url: baseUrl,
    paths: {
      token: '/oauth/v2/token',
      introspection: '/oauth/v2/introspect',
      userinfo: '/oidc/v1/userinfo',
    },
    makeCodes: (count) => Promise.all(Array.from({ length: count }, make)),
  };
}
