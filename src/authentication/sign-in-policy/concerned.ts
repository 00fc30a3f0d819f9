import type { Application, ApplicationsStore } from '#src/clients/applications/index.js';
import type { ServiceUser, ServiceUsersStore } from '#src/clients/service-users/index.js';
import {
  lastPolicyMoment,
  type Membership,
  passwordsAreOff,
  permissionsIn,
  type SignInPolicy,
} from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { mostTold } from './outcome.js';

export interface ConcernedDeps {
  readonly applications: Pick<ApplicationsStore, 'page'>;
  readonly serviceUsers: Pick<ServiceUsersStore, 'page'>;
  readonly caches: { readonly ownMemberships: Pick<Cache<Membership[]>, 'get'> };
}

/** The applications and service users that a policy concerns. */
export interface Concerned {
  /** Applications that people sign in to. At most {@link mostTold} are named. */
  readonly applications: readonly Pick<Application, 'id' | 'name'>[];
  /** Service users that may set passwords, if no password signs in any more. At most {@link mostTold} are named. */
  readonly serviceUsers: readonly Pick<ServiceUser, 'id' | 'name'>[];
}

/** Finds the applications and service users that the policy concerns. */
export async function findConcerned(
  { applications, serviceUsers, caches }: ConcernedDeps,
  orgId: string,
  policy: SignInPolicy,
): Promise<Concerned> {
  if (Object.keys(policy).length === 0) return { applications: [], serviceUsers: [] };
  const limit = mostTold;
  const found = await applications.page(orgId, { limit });
  const signedIn = found.filter(({ type, active }) => type !== 'api' && active);
  const setters: ServiceUser[] = [];
  if (passwordsAreOff(policy, lastPolicyMoment)) {
    for (const one of await serviceUsers.page(orgId, { limit })) {
      const permissions = permissionsIn(await caches.ownMemberships.get(one.id), orgId);
      if (permissions?.has('user.write') && one.ignorePasswords !== true) setters.push(one);
    }
  }
  return {
    applications: signedIn.map(({ id, name }) => ({ id, name })),
    serviceUsers: setters.map(({ id, name }) => ({ id, name })),
  };
}
