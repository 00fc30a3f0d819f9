import type { MembershipsStore } from '#src/access/memberships/index.js';
import type { Application, ApplicationsStore } from '#src/clients/applications/index.js';
import type { ServiceUser, ServiceUsersStore } from '#src/clients/service-users/index.js';
import { lastPolicyMoment, passwordsAreOff, permissionsIn, type SignInPolicy } from '#src/directory/index.js';
import { mostTold } from './outcome.js';

export interface ConcernedDeps {
  readonly applications: Pick<ApplicationsStore, 'page'>;
  readonly serviceUsers: Pick<ServiceUsersStore, 'findTaken'>;
  readonly memberships: Pick<MembershipsStore, 'page'>;
}

/** The applications and service users that a policy concerns, among the first {@link mostRead} of each list. */
export interface Concerned {
  /** Applications that people sign in to. At most {@link mostTold} are named. */
  readonly applications: readonly Pick<Application, 'id' | 'name'>[];
  /** Service users that may set passwords, if no password signs in any more. At most {@link mostTold} are named. */
  readonly serviceUsers: readonly Pick<ServiceUser, 'id' | 'name'>[];
}

/** The most applications of the organization, and the most roles in it or in the instance, that are read. An owner may add any number. */
const mostRead = 10_000;
const pageLength = 500;

/** Finds the applications and service users that the policy concerns. */
export async function findConcerned(
  deps: ConcernedDeps,
  orgId: string,
  policy: SignInPolicy,
): Promise<Concerned> {
  if (Object.keys(policy).length === 0) return { applications: [], serviceUsers: [] };
  return {
    applications: await firstOf(
      (page) => deps.applications.page(orgId, page),
      async (page) => page.filter(({ type, active }) => type !== 'api' && active),
    ),
    serviceUsers: passwordsAreOff(policy, lastPolicyMoment) ? await passwordSetters(deps, orgId) : [],
  };
}

/** The service users of the organization that may set passwords there. They are found by their roles, because most service users have none. */
async function passwordSetters(
  { memberships, serviceUsers }: ConcernedDeps,
  orgId: string,
): Promise<Concerned['serviceUsers']> {
  const found = new Map<string, Concerned['serviceUsers'][number]>();
  for (const scope of [orgId, undefined]) {
    const setters = await firstOf(
      (page) => memberships.page(scope, page),
      async (page) => {
        const able = page.filter((role) => permissionsIn([role], orgId)?.has('user.write') === true);
        const ids = [...new Set(able.map(({ userId }) => userId))];
        if (ids.length === 0) return [];
        const known = await serviceUsers.findTaken(orgId, { ids, userNames: [] });
        return known.filter((one) => one.orgId === orgId && one.ignorePasswords !== true);
      },
    );
    for (const one of setters) found.set(one.id, one);
  }
  return [...found.values()].slice(0, mostTold);
}

/** Returns the first of a list that are concerned, at most {@link mostTold}. */
async function firstOf<T extends { readonly id: string }, C extends Concerned['applications'][number]>(
  read: (page: { after?: string; limit: number }) => Promise<readonly T[]>,
  concernedIn: (page: readonly T[]) => Promise<readonly C[]>,
): Promise<Concerned['applications']> {
  const found = new Map<string, Concerned['applications'][number]>();
  let after: string | undefined;
  for (let looked = 0; looked < mostRead; looked += pageLength) {
    const page = await read({ limit: pageLength, ...(after !== undefined && { after }) });
    for (const { id, name } of await concernedIn(page)) found.set(id, { id, name });
    after = page.at(-1)?.id;
    if (page.length < pageLength || found.size >= mostTold) break;
  }
  return [...found.values()].slice(0, mostTold);
}
