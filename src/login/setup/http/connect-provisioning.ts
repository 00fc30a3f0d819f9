import type { FastifyReply } from 'fastify';
import { addMembership } from '#src/access/memberships/index.js';
import { addClientSecret } from '#src/clients/change-credentials/index.js';
import { addPersonalAccessToken, addServiceUser } from '#src/clients/service-users/index.js';
import { changeConnection } from '#src/connections/registry/index.js';
import { noteSetupStep, type SetupLink } from '#src/connections/setup/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { newSecret } from '#src/platform/ids.js';
import { setupEditor, writingConnections } from './connect-provider.js';
import { showSetup } from './setup-page.js';
import { readSetupForm, readSetupVisit } from './setup-session.js';
import type { ShownCredential } from './shown-credential.js';

type Deps = Parameters<typeof showSetup>[0] &
  Parameters<typeof readSetupForm>[0] &
  Parameters<typeof noteSetupStep>[0] &
  Parameters<typeof addServiceUser>[0] &
  Parameters<typeof addMembership>[0] &
  Parameters<typeof addClientSecret>[0] &
  Parameters<typeof addPersonalAccessToken>[0] &
  Parameters<typeof writingConnections>[0] &
  Omit<Parameters<typeof changeConnection>[0], 'endSignIns' | 'requireUsable'>;

/** How long the credential of a client of SCIM lasts, in milliseconds. */
const lifeMs = 364 * 24 * 3_600_000;

/**
 * Gives the customer's client of SCIM a service user that manages users and groups, and a credential. The connection of the link then knows the
 * people whom it provisions. A second time it gets another credential, and no other service user.
 */
export async function connectProvisioning(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const visit = await readSetupForm(deps, exchange.request, 'provisioning');
  const { link } = visit;
  const serviceUserId = link.serviceUserId ?? (await addProvisioner(deps, link));
  await noteSetupStep(deps, link, { step: 'provisioning', serviceUserId });
  await nameAtConnection(deps, link, serviceUserId);
  const kind = formText(exchange.request.body, 'credential') === 'secret' ? 'secret' : 'token';
  const credential = await addCredential(deps, link, { serviceUserId, kind });
  return showSetup(deps, exchange, await readSetupVisit(deps, exchange.request), { credential });
}

async function addProvisioner(deps: Deps, link: SetupLink): Promise<string> {
  const { orgId } = link;
  const editor = setupEditor(link);
  const userName = `provisioning-${newSecret().slice(0, 8)}`;
  const { id: userId } = await addServiceUser(deps, { orgId, userName, name: 'Provisioning', editor });
  await addMembership(deps, { userId, role: 'ORG_USER_MANAGER', orgId, editor });
  return userId;
}

/** An owner may have named another service user since. That one stays. */
async function nameAtConnection(deps: Deps, link: SetupLink, serviceUserId: string): Promise<void> {
  const { orgId, connectionId } = link;
  if (connectionId === undefined) return;
  const connection = await deps.connections.find(orgId, connectionId);
  if (connection === undefined || connection.linking.provisionedBy !== undefined) return;
  const linking = { ...connection.linking, provisionedBy: serviceUserId };
  const target = { orgId, id: connectionId, editor: setupEditor(link) };
  await changeConnection(writingConnections(deps), target, { protocol: connection.protocol, linking });
}

async function addCredential(
  deps: Deps,
  link: SetupLink,
  { serviceUserId: id, kind }: { serviceUserId: string; kind: ShownCredential['kind'] },
): Promise<ShownCredential> {
  const { orgId } = link;
  const editor = setupEditor(link);
  const expires = new Date(deps.clock.now().getTime() + lifeMs);
  if (kind === 'token') {
    const { token } = await addPersonalAccessToken(deps, { orgId, userId: id, expires, editor });
    return { kind, token };
  }
  const { clientSecret } = await addClientSecret(
    deps,
    { kind: 'serviceUser', orgId, id, editor },
    { expires },
  );
  return { kind, clientId: id, clientSecret };
}
