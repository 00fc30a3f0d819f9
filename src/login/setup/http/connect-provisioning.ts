import type { FastifyReply } from 'fastify';
import { addMembership } from '#src/access/memberships/index.js';
import { addClientSecret } from '#src/clients/change-credentials/index.js';
import { addPersonalAccessToken, addServiceUser } from '#src/clients/service-users/index.js';
import { noteSetupStep, type SetupLink } from '#src/connections/setup/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import { joinProvisioning, setupEditor } from './join-provisioning.js';
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
  Parameters<typeof joinProvisioning>[0];

/** How long the credential of a client of SCIM lasts, in milliseconds. */
const lifeMs = 364 * 24 * 3_600_000;

/**
 * Gives the customer's client of SCIM a service user that manages users and groups, and a credential. The connection of the link then knows the
 * people whom it provisions. A second time it gets another credential, and no other service user.
 */
export async function connectProvisioning(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const visit = await readSetupForm(deps, exchange.request, 'provisioning');
  const { link } = visit;
  const { newServiceUserId: serviceUserId } = link;
  if (link.done.provisioning === undefined) {
    await addProvisioner(deps, link);
    await joinProvisioning(deps, link);
  }
  await noteSetupStep(deps, link, { step: 'provisioning', serviceUserId });
  const kind = formText(exchange.request.body, 'credential') === 'secret' ? 'secret' : 'token';
  const credential = await addCredential(deps, link, { serviceUserId, kind });
  return showSetup(deps, exchange, await readSetupVisit(deps, exchange.request), { credential });
}

/** Adds the service user of a link, with its role. A request at the same time, or one that ended halfway, has added what is there. */
async function addProvisioner(deps: Deps, link: SetupLink): Promise<void> {
  const { orgId, newServiceUserId: id } = link;
  const editor = setupEditor(link);
  const userName = `provisioning-${id}`;
  await addServiceUser(deps, { orgId, id, userName, name: 'Provisioning', editor }).catch(
    unless(directoryErrors.clientIdTaken),
  );
  await addMembership(deps, { userId: id, role: 'ORG_USER_MANAGER', orgId, editor }).catch(
    unless(directoryErrors.membershipExists),
  );
}

function unless(known: ErrorDefinition) {
  return (error: unknown): void => {
    if (!(error instanceof AppError) || error.definition !== known) throw error;
  };
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
