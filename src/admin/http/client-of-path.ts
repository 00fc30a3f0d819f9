import type { ClientTarget } from '#src/clients/change-credentials/index.js';
import type { ClientKey, ClientSecret } from '#src/clients/credentials/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { AdminNeeds } from '../needs/needs.js';
import { inOrganization, overApplication, overServiceUser } from './caller.js';
import type { Hook } from './describe-callers.js';
import { orNotFound } from './or-not-found.js';
import { applicationParams, serviceUserParams } from './schemas.js';

type ClientKind = ClientTarget['kind'];

interface Credentials {
  readonly keys: readonly ClientKey[];
  readonly secrets: readonly ClientSecret[];
}

/** The differences between applications and service users in the routes for keys and secrets. */
interface ClientOfPath {
  readonly path: string;
  readonly params: typeof applicationParams;
  readonly tags: string[];
  readonly mayRead: Hook;
  readonly mayChange: Hook[];
  /** @throws AppError `directory.applicationNotFound`, `directory.serviceUserNotFound` */
  find(params: { orgId: string; id: string }): Promise<Credentials>;
}

const kinds = {
  application: {
    path: '/orgs/:orgId/applications/:id',
    params: applicationParams,
    tags: ['applications'],
    notFound: directoryErrors.applicationNotFound,
  },
  serviceUser: {
    path: '/orgs/:orgId/service-users/:id',
    params: serviceUserParams,
    tags: ['credentials'],
    notFound: directoryErrors.serviceUserNotFound,
  },
};

export function clientOfPath(
  deps: Pick<AdminNeeds, 'applications' | 'caches' | 'memberships' | 'serviceUsers'>,
  kind: ClientKind,
): ClientOfPath {
  const { notFound, ...constants } = kinds[kind];
  const store = kind === 'application' ? deps.applications : deps.serviceUsers;
  const mayWrite = inOrganization(deps, 'org.write');
  return {
    ...constants,
    mayRead: inOrganization(deps, 'org.read'),
    mayChange: [mayWrite, kind === 'application' ? overApplication(deps) : overServiceUser(deps)],
    find: ({ orgId, id }) => orNotFound<Credentials>(store.find(orgId, id), notFound),
  };
}
