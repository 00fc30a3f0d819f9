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
  const setsPasswords = async ({ id, ignorePasswords }: ServiceUser) =>
    ignorePasswords !== true &&
    permissionsIn(await caches.ownMemberships.get(id), orgId)?.has('user.write') === true;
  return {
    applications: await firstOf(
      (page) => applications.page(orgId, page),
      ({ type, active }) => type !== 'api' && active,
    ),
    serviceUsers: passwordsAreOff(policy, lastPolicyMoment)
      ? await firstOf((page) => serviceUsers.page(orgId, page), setsPasswords)
      : [],
  };
}

const pageLength = 500;

/** Returns the first of a list that are concerned, at most {@link mostTold}. */
async function firstOf<T extends { readonly id: string; readonly name: string }>(
  read: (page: { after?: string; limit: number }) => Promise<readonly T[]>,
  isConcerned: (one: T) => boolean | Promise<boolean>,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const found: { readonly id: string; readonly name: string }[] = [];
  let after: string | undefined;
  do {
    const page = await read({ limit: pageLength, ...(after !== undefined && { after }) });
    for (const one of page) {
      if (!(await isConcerned(one))) continue;
      found.push({ id: one.id, name: one.name });
      if (found.length === mostTold) return found;
    }
    after = page.length === pageLength ? page.at(-1)?.id : undefined;
  } while (after !== undefined);
  return found;
}
