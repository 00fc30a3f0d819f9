import type { FastifyPluginAsync } from 'fastify';
import { answerUnknown } from '#src/http/answer-unknown.js';
import { answerWithProblems } from '#src/http/base/problem.js';
import type { JobViews } from '#src/jobs/job-view.js';
import { applicationGrantRoutes } from './applications/application-grants.routes.js';
import { applicationRoutes } from './applications/applications.routes.js';
import { type ReadTestSignIn, testSignInRoutes } from './applications/test-sign-in.routes.js';
import { connectionHealthRoutes } from './connections/connection-health.routes.js';
import { connectionPreviewRoutes } from './connections/connection-preview.routes.js';
import { connectionStateRoutes } from './connections/connection-states.routes.js';
import { connectionRoutes } from './connections/connections.routes.js';
import { identityRoutes } from './connections/identities.routes.js';
import { setupLinkRoutes } from './connections/setup-links.routes.js';
import { signInTestRoutes } from './connections/sign-in-tests.routes.js';
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
import { jobRecordRoutes } from './jobs/job-records.routes.js';
import { jobRoutes } from './jobs/jobs.routes.js';
import { meRoutes } from './me.routes.js';
import { groupRoleRoutes } from './memberships/group-roles.routes.js';
import { membershipRoutes } from './memberships/memberships.routes.js';
import { exportRoutes } from './migration/export.routes.js';
import { exportResultRoutes } from './migration/export-result.routes.js';
import { importRoutes } from './migration/import.routes.js';
import type { AdminNeeds } from './needs/needs.js';
import { domainProofRoutes } from './organizations/domain-proof.routes.js';
import { domainRoutes } from './organizations/domains.routes.js';
import { extensionSchemaRoutes } from './organizations/extension-schemas.routes.js';
import { logoRoutes } from './organizations/logo.routes.js';
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
import { passwordPepperRoutes } from './sign-in/password-pepper.routes.js';
import { passwordSampleRoutes } from './sign-in/password-samples.routes.js';
import { signInPolicyRoutes } from './sign-in/sign-in-policy.routes.js';
import { signInStateRoutes } from './sign-in/sign-in-state.routes.js';
import { signingKeyRoutes } from './signing-keys.routes.js';
import { userActionRoutes } from './user-actions/user-actions.routes.js';
import { groupListRoutes } from './user-lists/group-list.routes.js';
import { groupMemberRoutes } from './user-lists/group-members.routes.js';
import { userListRoutes } from './user-lists/user-list.routes.js';
import { consentRoutes } from './users/consents.routes.js';
import { userAccessRoutes } from './users/user-access.routes.js';
import { userBrowserRoutes } from './users/user-browsers.routes.js';
import { userMetadataRoutes } from './users/user-metadata.routes.js';
import { userPasskeyRoutes } from './users/user-passkeys.routes.js';
import { userSessionRoutes } from './users/user-sessions.routes.js';

/** What rooms that this one does not import do for it. */
interface Passed {
  readonly jobViews: JobViews;
  readonly testSignIn: ReadTestSignIn;
}

/** Mounts all routes under `/admin/v1`. */
export function adminRoutes(deps: AdminNeeds, passed: Passed): FastifyPluginAsync {
  return async (app) => {
    answerWithProblems(app);
    answerUnknown(app, deps.config);
    requireCaller(app, deps);
    describeCallers(app);
    await app.register(importRoutes(deps));
    await app.register(routesOfWholeRequests(deps, passed));
  };
}

/** Mounts all routes except those with a stream as body. */
function routesOfWholeRequests(deps: AdminNeeds, { jobViews, testSignIn }: Passed): FastifyPluginAsync {
  return async (app) => {
    readRequests(app);
    await app.register(meRoutes(deps));
    await app.register(organizationRoutes(deps));
    await app.register(logoRoutes(deps));
    await app.register(organizationRemovalRoutes(deps));
    await app.register(domainRoutes(deps));
    await app.register(domainProofRoutes(deps));
    await app.register(extensionSchemaRoutes(deps));
    await app.register(projectRoutes(deps));
    await app.register(projectRoleRoutes(deps));
    await app.register(projectAssignmentRoutes(deps, 'grant'));
    await app.register(projectAssignmentRoutes(deps, 'groupGrant'));
    await app.register(projectAssignmentRoutes(deps, 'member'));
    await app.register(userMetadataRoutes(deps));
    await app.register(serviceUserRoutes(deps));
    await app.register(clientSecretRoutes(deps, 'serviceUser'));
    await app.register(federatedCredentialRoutes(deps));
    await app.register(personalAccessTokenRoutes(deps));
    await app.register(userListRoutes(deps));
    await app.register(userActionRoutes(deps));
    await app.register(groupListRoutes(deps));
    await app.register(groupMemberRoutes(deps));
    await app.register(userAccessRoutes(deps));
    await app.register(userPasskeyRoutes(deps));
    await app.register(userSessionRoutes(deps));
    await app.register(userBrowserRoutes(deps));
    await app.register(signInStateRoutes(deps));
    await app.register(signInPolicyRoutes(deps));
    await app.register(passwordSampleRoutes(deps));
    await app.register(loginNameRoutes(deps));
    await app.register(connectionRoutes(deps));
    await app.register(connectionPreviewRoutes(deps));
    await app.register(connectionHealthRoutes(deps));
    await app.register(signInTestRoutes(deps));
    await app.register(setupLinkRoutes(deps));
    await app.register(connectionStateRoutes(deps));
    await app.register(identityRoutes(deps));
    await app.register(migrationHookRoutes(deps));
    await app.register(passwordPepperRoutes(deps));
    await app.register(oneTimeLinksRoutes(deps));
    await app.register(consentRoutes(deps));
    await app.register(clientKeyRoutes(deps, 'serviceUser'));
    await app.register(applicationRoutes(deps));
    await app.register(applicationGrantRoutes(deps));
    await app.register(testSignInRoutes(deps, testSignIn));
    await app.register(clientSecretRoutes(deps, 'application'));
    await app.register(clientKeyRoutes(deps, 'application'));
    await app.register(membershipRoutes(deps));
    await app.register(groupRoleRoutes(deps));
    await app.register(featureRoutes(deps));
    await app.register(signingKeyRoutes(deps));
    await app.register(serviceRoutes(deps));
    await app.register(eventRoutes(deps));
    await app.register(provisioningLogRoutes(deps));
    await app.register(expiringRoutes(deps));
    await app.register(exportRoutes(deps));
    await app.register(exportResultRoutes(deps));
    await app.register(jobRoutes({ ...deps, views: jobViews }));
    await app.register(jobRecordRoutes({ ...deps, views: jobViews }));
  };
}
