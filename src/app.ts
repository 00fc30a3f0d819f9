import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { parseParameters } from '#src/http/base/parameters.js';
import { answerProblem } from '#src/http/base/problem.js';
import { verifyView } from '#src/migration/import/report/verify-view.js';
import type { Rooms } from '#src/rooms.js';
import { showPolicyTrial } from './admin/policy-trials/policy-trial.js';
import { adminRoutes } from './admin/routes.js';
import { consoleRoutes } from './console/routes.js';
import { sharedHooks } from './hooks.js';
import { answerUnreadable } from './http/answer-unreadable.js';
import { documentsRoutes } from './http/documents/documents.routes.js';
import { healthRoutes } from './http/health.js';
import { lateSerializers } from './http/late-serializers.js';
import { routableAddress } from './http/limits/bound-addresses.js';
import { slowClientOptions } from './http/limits/slow-clients.js';
import { assetRoutes } from './http/pages/asset.routes.js';
import { referenceRoutes } from './http/reference/reference.routes.js';
import { RequestLogger } from './http/request-logger.js';
import { QuickResponse } from './http/responses/quick-response.js';
import { setSafeHeaders } from './http/safe-headers.js';
import { trustedProxies } from './http/trusted-proxies.js';
import type { JobViews } from './jobs/job-view.js';
import { relatedOriginsRoutes } from './login/related-origins.routes.js';
import { loginRoutes } from './login/routes.js';
import { showExportResult } from './migration/export/export-result.js';
import { importView } from './migration/import/report/import-view.js';
import { oidcRoutes } from './oidc/routes.js';
import { createTestSignIn } from './oidc/test-sign-in.js';
import { recordedResponse } from './scim/bulk/bulk-response.js';
import { answerScimError } from './scim/http/answer-scim-errors.js';
import { scimRoutes } from './scim/routes.js';

/** Largest body of a request, in bytes. Forms and SCIM Bulk have limits of their own. */
const bodyLimit = 1_048_576;

/** Longest time for a plugin to start, and to close after the drain time, in milliseconds. */
const hookLimitMs = 10_000;

/**
 * Builds the HTTP application on a rooms. It adds the shared hooks first (`hooks.ts`), then the routes of each room. It
 * does not listen.
 */
export async function buildApp(rooms: Rooms): Promise<FastifyInstance> {
  const { config, logger } = rooms;
  const slowClients = slowClientOptions(config);
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config),
    bodyLimit,
    requestIdHeader: false,
    childLoggerFactory: (_logger, bindings) =>
      new RequestLogger(logger, bindings) as unknown as FastifyBaseLogger,
    genReqId: requestId,
    // As long as Node.js permits. A long identifier in the path is thus an unknown identifier, not an error of the
    // router. `boundAddresses` limits the path.
    routerOptions: {
      maxParamLength: 32_768,
      ignoreTrailingSlash: false,
      querystringParser: parseParameters,
    },
    rewriteUrl: ({ url = '/' }) => routableAddress(url),
    // The router has refused the request before any hook. `routableAddress` leaves no known case.
    frameworkErrors: (error, request, reply) => {
      setSafeHeaders(config, reply);
      const answer = request.url.startsWith('/scim/') ? answerScimError : answerProblem;
      return answer(error, request, reply);
    },
    clientErrorHandler: answerUnreadable,
    ajv: { customOptions: { coerceTypes: 'array', removeAdditional: false, allErrors: false } },
    schemaController: { compilersFactory: { buildSerializer: lateSerializers } },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    pluginTimeout: hookLimitMs + config.drainSeconds * 1000,
    ...slowClients,
    http: { ...slowClients.http, ServerResponse: QuickResponse },
  });
  for (const { add } of sharedHooks) await add(app, rooms);

  assetRoutes(app);
  await app.register(referenceRoutes(config));
  await app.register(documentsRoutes(config));
  await app.register(healthRoutes(rooms));
  await app.register(scimRoutes(rooms), { prefix: '/scim/v2/:orgId' });
  await app.register(oidcRoutes(rooms));
  await app.register(loginRoutes(rooms));
  await app.register(relatedOriginsRoutes(rooms));
  const views = jobViews(rooms);
  await app.register(consoleRoutes(rooms));
  await app.register(adminRoutes(rooms, { jobViews: views, testSignIn: createTestSignIn(rooms) }), {
    prefix: '/admin/v1',
  });
  return app;
}

/** Returns, for each kind of job, the functions that show its jobs. */
function jobViews(rooms: Rooms): JobViews {
  return {
    'scim-bulk': { result: recordedResponse },
    import: importView(rooms),
    verify: verifyView(rooms),
    export: { result: showExportResult },
    'organization-removal': { result: (job) => job.parts['0'] },
    'user-actions': { result: (job) => job.parts['0'] },
    'policy-trial': { result: showPolicyTrial },
  };
}

/** Returns the request id of the caller, for tracing, if it is safe to log. Otherwise it makes a new one, which need not sort by time. */
function requestId(request: { headers: Record<string, unknown> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}
