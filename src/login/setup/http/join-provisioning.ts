import { type ConnectionSettings, changeConnection } from '#src/connections/registry/index.js';
import type { SetupLink } from '#src/connections/setup/index.js';
import { requireUsable } from '#src/connections/sign-in/index.js';
import { signOutOfConnection } from '#src/sessions/sign-out.js';

type WritingDeps = Parameters<typeof requireUsable>[0] & Parameters<typeof signOutOfConnection>[0];

/** What the use cases of connections need of rooms that they do not import. */
export function writingConnections<T extends WritingDeps>(deps: T) {
  return {
    ...deps,
    endSignIns: (of: { orgId: string; connectionId: string }) => signOutOfConnection(deps, of),
    requireUsable: (orgId: string, settings: ConnectionSettings) => requireUsable(deps, orgId, settings),
  };
}

/** The editor of what happens by a link: the link itself. */
export function setupEditor({ id: userId }: Pick<SetupLink, 'id'>) {
  return { userId, service: 'setup' };
}

type Deps = WritingDeps & Omit<Parameters<typeof changeConnection>[0], 'endSignIns' | 'requireUsable'>;

/**
 * Says at the connection of a link that the service user of the link provisions its people, as soon as there are both. The step that makes the second of
 * them calls it once, so that an owner who says otherwise since is not overruled. An owner may have named another service user. That one stays.
 */
export async function joinProvisioning(deps: Deps, link: SetupLink): Promise<void> {
  const { orgId, newConnectionId: id, newServiceUserId: provisionedBy } = link;
  const [connection, serviceUser] = await Promise.all([
    deps.connections.find(orgId, id),
    deps.serviceUsers.find(orgId, provisionedBy),
  ]);
  if (connection === undefined || serviceUser === undefined) return;
  const { protocol, linking, version: ifVersion } = connection;
  if (linking.provisionedBy !== undefined) return;
  const target = { orgId, id, editor: setupEditor(link), ifVersion };
  await changeConnection(writingConnections(deps), target, {
    protocol,
    linking: { ...linking, provisionedBy },
  });
}
