import { findActivePerson } from '#src/access/memberships/index.js';
import { tellEndings } from '#src/connections/registry/index.js';
import type { WorkerRooms } from '#src/rooms.js';

/** The most owners of an organization who are told. */
const mostOwners = 20;

type Deps = Pick<WorkerRooms, 'clock' | 'connections' | 'memberships' | 'notices' | 'users'>;

/** Tells owners by mail of connections whose secret or certificate ends soon: see tell-endings.ts. */
export function connectionEndingsWorker(deps: Deps) {
  const tellOwners = async (orgId: string, at: Date): Promise<void> => {
    const owners = (await deps.memberships.ownersOf(orgId)).slice(0, mostOwners);
    const people = await Promise.all(owners.map((userId) => findActivePerson(deps, userId)));
    const told = people.flatMap((person) =>
      person === undefined
        ? []
        : [{ orgId: person.orgId, userId: person.id, kind: 'connectionEnds' as const, at }],
    );
    if (told.length > 0) await deps.notices.put(told);
  };
  return (): Promise<void> => tellEndings({ ...deps, tellOwners });
}
