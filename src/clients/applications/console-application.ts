import { instanceOwned } from '#src/directory/index.js';
import type { Application } from './application.js';
import { withDefaults } from './application-rules.js';

/** The client_id of the console. */
export const consoleClientId = 'muster-console';

/** The path to which the authorization endpoint sends the browser back. */
export const consoleCallbackPath = '/console/callback';

/**
 * The console is an application like any other, a public client with PKCE. It is not stored: so nobody can change its redirect
 * URI, and it follows `MUSTER_BASE_URL`.
 */
export function consoleApplication(baseUrl: string): Application {
  return {
    ...withDefaults({
      name: 'Muster',
      type: 'web',
      authMethod: 'none',
      strictAuthMethod: true,
      redirectUris: [`${baseUrl}${consoleCallbackPath}`],
      postLogoutRedirectUris: [`${baseUrl}/console`],
      grantTypes: ['authorization_code'],
      groupsClaim: 'identifiers',
      orgOnly: false,
    }),
    id: consoleClientId,
    orgId: instanceOwned,
    approved: true,
    administers: true,
    active: true,
    secrets: [],
    keys: [],
    version: 1,
    created: new Date(0),
    lastModified: new Date(0),
  };
}
