import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { answerWithProblems } from '#src/http/problem.js';
import { applicationCredentialRoutes } from './application-credentials.routes.js';
import { applicationRoutes } from './applications.routes.js';
import { credentialRoutes } from './credentials.routes.js';
import { eventRoutes } from './events.routes.js';
import { featureRoutes } from './features.routes.js';
import { requireCaller } from './http/caller.js';
import { readRequests } from './http/read-requests.js';
import { type JobResults, jobRoutes } from './jobs.routes.js';
import { membershipRoutes } from './memberships.routes.js';
import { organizationRoutes } from './organizations.routes.js';
import { serviceUserKeyRoutes } from './service-user-keys.routes.js';
import { serviceUserRoutes } from './service-users.routes.js';
import { signingKeyRoutes } from './signing-keys.routes.js';
import { userAccessRoutes } from './user-access.routes.js';

/** Everything under `/admin/v1`. */
export function adminRoutes(container: Container, jobResults: JobResults = {}): FastifyPluginAsync {
  return async (app) => {
    answerWithProblems(app);
    readRequests(app);
    requireCaller(app, container);
    await app.register(organizationRoutes(container));
    await app.register(serviceUserRoutes(container));
    await app.register(credentialRoutes(container));
    await app.register(userAccessRoutes(container));
    await app.register(serviceUserKeyRoutes(container));
    await app.register(applicationRoutes(container));
    await app.register(applicationCredentialRoutes(container));
    await app.register(membershipRoutes(container));
    await app.register(featureRoutes(container));
    await app.register(signingKeyRoutes(container));
    await app.register(eventRoutes(container));
    await app.register(jobRoutes(container, jobResults));
  };
}
