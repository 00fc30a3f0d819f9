import t from 'tap';
import { findConcerned } from '#src/authentication/sign-in-policy/concerned.js';
import type { Application } from '#src/clients/applications/index.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import type { Membership } from '#src/directory/index.js';

const orgId = 'org';
const passkeysOnly = { firstFactors: ['passkey'] } as const;

/** Lists of an organization, and how often they were read. `endless` lists never end, and nothing in them is concerned. */
function listsOf({ endless }: { readonly endless: boolean }, roles: readonly Partial<Membership>[] = []) {
  const calls = { pages: 0, lookUps: 0 };
  const pageOf =
    <T>(own: readonly T[], filler: (n: number) => T) =>
    async (_scope: string | undefined, { after, limit }: { after?: string; limit: number }) => {
      calls.pages++;
      if (endless) return Array.from({ length: limit }, (_, n) => filler(calls.pages * limit + n));
      return after === undefined ? [...own] : [];
    };
  const serviceUser = (id: string) =>
    ({
      id,
      name: `Service ${id}`,
      orgId: id === 'foreign' ? 'another' : orgId,
      ignorePasswords: id === 'ignoring',
    }) as unknown as ServiceUser;
  const deps = {
    applications: {
      page: pageOf([], (n) => ({ id: `app-${n}`, name: '', type: 'api', active: true }) as Application),
    },
    memberships: {
      page: async (scope: string | undefined, page: { after?: string; limit: number }) => {
        const own = roles.filter((role) => role.orgId === scope) as Membership[];
        const filler = (n: number) =>
          ({ id: `role-${n}`, userId: `person-${n}`, role: 'ORG_OWNER', orgId }) as Membership;
        return pageOf(own, filler)(scope, page);
      },
    },
    serviceUsers: {
      async findTaken(_orgId: string, { ids }: { ids: readonly string[] }) {
        calls.lookUps++;
        return ids.filter((id) => !id.startsWith('person')).map(serviceUser);
      },
    },
  };
  return { deps, calls };
}

t.test('the work has a bound, however many applications and roles an owner adds', async (t) => {
  const { deps, calls } = listsOf({ endless: true });
  t.same(await findConcerned(deps, orgId, passkeysOnly), { applications: [], serviceUsers: [] });
  t.same(calls, { pages: 60, lookUps: 40 }, 'twenty pages of each list');
});

t.test('service users are found by their roles here and in the instance', async (t) => {
  const roles = [
    { id: '1', userId: 'owning', role: 'ORG_OWNER', orgId },
    { id: '2', userId: 'owning', role: 'ORG_USER_MANAGER', orgId },
    { id: '3', userId: 'reading', role: 'ORG_USER_VIEWER', orgId },
    { id: '4', userId: 'ignoring', role: 'ORG_OWNER', orgId },
    { id: '5', userId: 'person-1', role: 'ORG_OWNER', orgId },
    { id: '6', userId: 'of-instance', role: 'IAM_OWNER' },
    { id: '7', userId: 'foreign', role: 'IAM_OWNER' },
  ] as Membership[];
  const { deps } = listsOf({ endless: false }, roles);
  const found = await findConcerned(deps, orgId, passkeysOnly);
  t.same(found.serviceUsers, [
    { id: 'owning', name: 'Service owning' },
    { id: 'of-instance', name: 'Service of-instance' },
  ]);
  t.same((await findConcerned(deps, orgId, { identifierFirst: true })).serviceUsers, []);
});
