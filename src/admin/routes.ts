import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/rooms.js';
import { answerUnknown } from '#src/http/answer-unknown.js';
import { answerWithProblems } from '#src/http/base/problem.js';
import type { JobViews } from '#src/jobs/job-view.js';
import { applicationGrantRoutes } from './applications/application-grants.routes.js';
import { applicationRoutes } from './applications/applications.routes.js';
import { clientKeyRoutes } from './credentials/client-keys.routes.js';
import { clientSecretRoutes } from './credentials/client-secrets.routes.js';
import { federatedCredentialRoutes } from './credentials/federated-credentials.routes.js';
import { personalAccessTokenRoutes } from './credentials/personal-access-tokens.routes.js';
import { serviceUserRoutes } from './credentials/service-users.routes.js';
import { eventRoutes } from './events.routes.js';
import { expiringRoutes } from './expiring.routes.js';
import { featureRoutes } from './features.routes.js';
import { requireCaller } from './http/caller.js';
import { describeCallers } from './http/describe-callers.js';
import { readRequests } from './http/read-requests.js';
import { jobRoutes } from './jobs.routes.js';
import { meRoutes } from './me.routes.js';
import { groupRoleRoutes } from './memberships/group-roles.routes.js';
import { membershipRoutes } from './memberships/memberships.routes.js';
import { exportRoutes } from './migration/export.routes.js';
import { exportResultRoutes } from './migration/export-result.routes.js';
import { importRoutes } from './migration/import.routes.js';
import { domainRoutes } from './organizations/domains.routes.js';
import { extensionSchemaRoutes } from './organizations/extension-schemas.routes.js';
import { organizationRemovalRoutes } from './organizations/organization-removal.routes.js';
import { organizationRoutes } from './organizations/organizations.routes.js';
import { projectAssignmentRoutes } from './projects/project-assignments.routes.js';
import { projectRoleRoutes } from './projects/project-roles.routes.js';
import { projectRoutes } from './projects/projects.routes.js';
import { provisioningLogRoutes } from './provisioning-log.routes.js';
import { serviceRoutes } from './service.routes.js';
import { loginNameRoutes } from './sign-in/login-names.routes.js';
import { migrationHookRoutes } from './sign-in/migration-hook.routes.js';
import { oneTimeLinksRoutes } from './sign-in/one-time-links.routes.js';
import { passwordSampleRoutes } from './sign-in/password-samples.routes.js';
import { signInStateRoutes } from './sign-in/sign-in-state.routes.js';
import { signingKeyRoutes } from './signing-keys.routes.js';
import { groupMemberRoutes } from './user-lists/group-members.routes.js';
import { userListRoutes } from './user-lists/user-list.routes.js';
import { consentRoutes } from './users/consents.routes.js';
import { userAccessRoutes } from './users/user-access.routes.js';
import { userMetadataRoutes } from './users/user-metadata.routes.js';

/** Mounts all routes under `/admin/v1`. */
export function adminRoutes(container: Container, jobViews: JobViews = {}): FastifyPluginAsync {
  return async (app) => {
    answerWithProblems(app);
    answerUnknown(app, container.config);
    requireCaller(app, container);
    describeCallers(app);
    await app.register(importRoutes(container));
    await app.register(routesOfWholeRequests(container, jobViews));
  };
}

/** Mounts all routes except those with a stream as body. */
function routesOfWholeRequests(container: Container, jobViews: JobViews): FastifyPluginAsync {
  return async (app) => {
    readRequests(app);
    await app.register(meRoutes(container));
    await app.register(organizationRoutes(container));
    await app.register(organizationRemovalRoutes(container));
    await app.register(domainRoutes(container));
    await app.register(extensionSchemaRoutes(container));
    await app.register(projectRoutes(container));
    await app.register(projectRoleRoutes(container));
    await app.register(projectAssignmentRoutes(container, 'grant'));
    await app.register(projectAssignmentRoutes(container, 'groupGrant'));
    await app.register(projectAssignmentRoutes(container, 'member'));
    await app.register(userMetadataRoutes(container));
    await app.register(serviceUserRoutes(container));
    await app.register(clientSecretRoutes(container, 'serviceUser'));
    await app.register(federatedCredentialRoutes(container));
    await app.register(personalAccessTokenRoutes(container));
    await app.register(userListRoutes(container));
    await app.register(groupMemberRoutes(container));
    await app.register(userAccessRoutes(container));
    await app.register(signInStateRoutes(container));
    await app.register(passwordSampleRoutes(container));
    await app.register(loginNameRoutes(container));
    await app.register(migrationHookRoutes(container));
    await app.register(oneTimeLinksRoutes(container));
    await app.register(consentRoutes(container));
    await app.register(clientKeyRoutes(container, 'serviceUser'));
    await app.register(applicationRoutes(container));
    await app.register(applicationGrantRoutes(container));
    await app.register(clientSecretRoutes(container, 'application'));
    await app.register(clientKeyRoutes(container, 'application'));
    await app.register(membershipRoutes(container));
    await app.register(groupRoleRoutes(container));
    await app.register(featureRoutes(container));
    await app.register(signingKeyRoutes(container));
    await app.register(serviceRoutes(container));
    await app.register(eventRoutes(container));
    await app.register(provisioningLogRoutes(container));
    await app.register(expiringRoutes(container));
    await app.register(exportRoutes(container));
    await app.register(exportResultRoutes(container));
    await app.register(jobRoutes(container, jobViews));
  };
}
