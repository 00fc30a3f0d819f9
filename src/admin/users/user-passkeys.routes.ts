import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import {
  authenticatorName,
  listPasskeys,
  relyingPartyOf,
  removePasskey,
} from '#src/authentication/passkeys/index.js';
import { inOrganization, overPerson } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, timestamp, userParams } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';
import { keepsOwner } from './user-access.routes.js';

const passkey = Type.Object({
  id: Type.String({ description: 'The Credential ID, in base64url' }),
  name: Type.Optional(Type.String({ description: 'What the user calls it' })),
  authenticator: Type.Optional(
    Type.String({ description: 'The model that the authenticator says it is. Nobody attests it' }),
  ),
  synced: Type.Boolean({ description: 'Whether it may be copied to other devices' }),
  usable: Type.Boolean({
    description: 'Whether it belongs to the RP ID of this service. Otherwise no browser offers it',
  }),
  created: Type.Optional(timestamp),
  lastUsed: Type.Optional(timestamp),
});

const passkeyParams = Type.Object({
  ...userParams.properties,
  passkeyId: Type.String({ minLength: 1, maxLength: 1_400, description: 'The Credential ID' }),
});

/** Routes for the passkeys of a user: administrators see and remove them. Only the user adds one. */
export function userPasskeyRoutes(
  deps: Pick<
    AdminNeeds,
    | 'ableOwners'
    | 'accounts'
    | 'caches'
    | 'clock'
    | 'config'
    | 'events'
    | 'mongo'
    | 'projectMembers'
    | 'refreshTokens'
    | 'revocations'
    | 'users'
    | 'webauthnCredentials'
  >,
): FastifyPluginAsyncTypebox {
  const rpId = relyingPartyOf(deps.config)?.id;
  const path = '/orgs/:orgId/users/:id/passkeys';
  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['users'],
      shown: passkey,
      toResponse: (found: WebauthnCredential) => toResponse(found, rpId),
      all: { path, params: userParams },
      one: { path: `${path}/:passkeyId`, params: passkeyParams },
    });
    routes.listAll({
      onRequest: inOrganization(deps, 'user.read'),
      operationId: 'listPasskeys',
      summary: 'List the passkeys of the user, the oldest first',
      answer: pageOf(passkey),
      all: async (target) => listPasskeys(deps, await userOfPath(deps, target)),
    });
    routes.remove({
      onRequest: [inOrganization(deps, 'user.write'), overPerson(deps, 'credentials')],
      operationId: 'removePasskey',
      summary: 'Remove a passkey of a user who lost it, and end every session and token of the user',
      description: keepsOwner,
      fails: [409],
      run: (target) => removePasskey(deps, target),
    });
  };
}

function toResponse(found: WebauthnCredential, ownRpId: string | undefined) {
  const { id, label, aaguid, backupEligible = false, rpId = ownRpId, created, lastUsed } = found;
  const authenticator = authenticatorName(aaguid);
  return {
    id,
    ...(label !== undefined && { name: label }),
    ...(authenticator !== undefined && { authenticator }),
    synced: backupEligible,
    usable: ownRpId !== undefined && rpId === ownRpId,
    ...(created && { created: created.toISOString() }),
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}
