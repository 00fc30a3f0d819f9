import type { FastifyPluginAsync } from 'fastify';
import { relyingPartyOf } from '#src/authentication/passkeys/index.js';
import type { Config } from '#src/config.js';

/**
 * The origins that may use the passkeys of this instance (WebAuthn Level 3 section 5.11). A browser asks the host of the RP ID for them if
 * people sign in at another host. An instance whose address has changed so keeps the passkeys of the former one.
 */
export function relatedOriginsRoutes({ config }: { readonly config: Config }): FastifyPluginAsync {
  const party = relyingPartyOf(config);
  return async (app) => {
    if (party === undefined) return;
    const document = { origins: [party.origin] };
    app.get('/.well-known/webauthn', { schema: { hide: true } }, async () => document);
  };
}
