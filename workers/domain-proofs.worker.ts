import { findActivePerson } from '#src/access/memberships/index.js';
import { type CheckDomainsDeps, checkProvedDomains } from '#src/organizations/domain-proofs/index.js';
import type { Logger } from '#src/platform/logger.js';
import type { WorkerRooms } from '#src/rooms.js';

/** The most owners of an organization who are told. */
const mostTold = 20;
const kinds = { failing: 'domainFailing', lapsed: 'domainLapsed' } as const;

type Deps = Omit<CheckDomainsDeps, 'tellOwners'> &
  Pick<WorkerRooms, 'mailer' | 'memberships' | 'notices' | 'users'>;

/** Looks for the records of proved domains: see check-proved-domains.ts. Owners who are people are told by mail. */
export function domainProofsWorker(deps: Deps) {
  const { mailer, memberships, notices } = deps;
  const tellOwners: CheckDomainsDeps['tellOwners'] = async (orgId, what, at) => {
    // Without a mail server nobody would ever get them.
    if (mailer === undefined) return;
    const owners = (await memberships.ownersOf(orgId)).slice(0, mostTold);
    const people = await Promise.all(owners.map((userId) => findActivePerson(deps, userId)));
    const told = people.flatMap((person) =>
      person === undefined ? [] : [{ orgId: person.orgId, userId: person.id, kind: kinds[what], at }],
    );
    if (told.length > 0) await notices.put(told);
  };
  return (logger: Logger): Promise<void> => checkProvedDomains({ ...deps, tellOwners }, logger);
}
