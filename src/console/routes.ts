import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { readForms } from '#src/http/bodies/read-forms.js';
import { answerErrorPage } from '#src/http/pages/error-page.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { type PublicDocument, publicDocument } from '#src/http/responses/public-document.js';
import { addManyRoutes } from './add-many/add-many.routes.js';
import { applicationsRoutes } from './applications/applications.routes.js';
import { connectionsRoutes } from './connections/connections.routes.js';
import { groupsRoutes } from './groups/groups.routes.js';
import { icon, iconPath, readScript, scriptPath, stylesheetPath } from './http/assets.js';
import { stylesheet } from './http/stylesheet.js';
import { logRoutes } from './log/log.routes.js';
import { migrationRoutes } from './migration/migration.routes.js';
import type { ConsoleNeeds } from './needs/needs.js';
import { organizationsRoutes } from './organizations/organizations.routes.js';
import { projectsRoutes } from './projects/projects.routes.js';
import { provisioningRoutes } from './provisioning/provisioning.routes.js';
import { serviceRoutes } from './service/service.routes.js';
import { serviceUsersRoutes } from './service-users/service-users.routes.js';
import { brandingScript, brandingScriptPath } from './settings/branding-script.js';
import { settingsRoutes } from './settings/settings.routes.js';
import { consoleSignInRoutes } from './sign-in.routes.js';
import { signInPolicyPages } from './sign-in-policy/sign-in-policy.routes.js';
import { startRoutes } from './start/start.routes.js';
import { userActionsRoutes } from './user-actions/user-actions.routes.js';
import { usersRoutes } from './users/users.routes.js';

/** The pages at `/console`, and `/`, which leads there. */
export function consoleRoutes(deps: ConsoleNeeds): FastifyPluginAsync {
  const { baseUrl } = deps.config;
  return async (app) => {
    app.setErrorHandler((thrown, request, reply) => answerErrorPage(thrown, { request, reply }, { baseUrl }));
    app.get('/', { config: { page: true }, schema: { hide: true } }, async (_request, reply) =>
      withoutTraces(reply).redirect(`${baseUrl}/console`, 303),
    );
    serveAssets(app);
    readForms(app);
    await app.register(consoleSignInRoutes(deps));
    await app.register(startRoutes(deps));
    await app.register(organizationsRoutes(deps));
    await app.register(logRoutes(deps));
    await app.register(migrationRoutes(deps));
    await app.register(serviceRoutes(deps));
    await app.register(settingsRoutes(deps));
    await app.register(signInPolicyPages(deps));
    await app.register(serviceUsersRoutes(deps));
    await app.register(applicationsRoutes(deps));
    await app.register(projectsRoutes(deps));
    await app.register(provisioningRoutes(deps));
    await app.register(connectionsRoutes(deps));
    await app.register(usersRoutes(deps));
    await app.register(userActionsRoutes(deps));
    await app.register(addManyRoutes(deps));
    await app.register(groupsRoutes(deps));
  };
}

function serveAssets(app: FastifyInstance): void {
  const assets = [
    [stylesheetPath, 'text/css; charset=utf-8', async () => stylesheet],
    [scriptPath, 'text/javascript; charset=utf-8', readScript],
    [iconPath, 'image/svg+xml', async () => icon],
    [brandingScriptPath, 'text/javascript; charset=utf-8', async () => brandingScript],
  ] as const;
  for (const [path, type, read] of assets) {
    let document: Promise<PublicDocument> | undefined;
    app.get(path, { config: { compressible: true }, schema: { hide: true } }, async (_request, reply) => {
      document ??= read().then(publicDocument);
      return reply
        .header(
          'cache-control',
          path === iconPath ? 'public, max-age=86400' : 'public, max-age=31536000, immutable',
        )
        .header('x-content-type-options', 'nosniff')
        .type(type)
        .send((await document).plain);
    });
  }
}
