import { type Application, algorithmChoice } from '#src/clients/applications/index.js';
import type { ClientKey } from '#src/clients/credentials/index.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import type { GroupsClaim } from '../issuance/group-claims.js';

/**
 * A client (RFC 6749 section 2): an application that people sign in to, or a service user that acts for
 * itself.
 */
export type Client =
  | { readonly kind: 'application'; readonly application: Application }
  | { readonly kind: 'serviceUser'; readonly serviceUser: ServiceUser };

/** The identifier of the client in tokens. */
export function clientId(client: Client): string {
  return client.kind === 'application' ? client.application.id : client.serviceUser.id;
}

/** The organization that the client belongs to. */
export function clientOrgId(client: Client): string {
  return client.kind === 'application' ? client.application.orgId : client.serviceUser.orgId;
}

/** The public keys that verify signatures of the client. */
export function clientKeys(client: Client): readonly ClientKey[] {
  return client.kind === 'application' ? client.application.keys : client.serviceUser.keys;
}

/** Whether assertions of the client must name one audience as a single string. */
export function hasSingleAudience(client: Client): boolean {
  return (client.kind === 'application' ? client.application : client.serviceUser).singleAudience === true;
}

/** What decides the form and the content of claims for the client, besides scopes. */
export function claimsSettings(client: Client): {
  clientOrgId: string;
  groupsClaim?: GroupsClaim | undefined;
  projectId?: string | undefined;
} {
  if (client.kind === 'serviceUser') return { clientOrgId: client.serviceUser.orgId };
  const { orgId, projectId } = client.application;
  return { clientOrgId: orgId, groupsClaim: client.application, projectId };
}

/** How ID tokens of the client are made. Those of service users have the defaults. */
export function idTokenSettings(client: Client) {
  if (client.kind === 'serviceUser') return { claimsInIdToken: false };
  const { idTokenUserinfoAssertion, projectId } = client.application;
  return {
    claimsInIdToken: idTokenUserinfoAssertion,
    idTokenAlgorithm: algorithmChoice(client.application),
    groupsClaim: client.application,
    projectId,
  };
}
