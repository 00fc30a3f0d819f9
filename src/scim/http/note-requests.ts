import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorIdHeader } from '#src/http/base/problem.js';
import { describePath, describeQuery, describeUserAgent } from '#src/provisioning-log/describe-request.js';
import type { EntryKind, LogEntry, LogPlace } from '#src/provisioning-log/entry.js';
import type { ScimNeeds } from '../needs/needs.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { userSchema } from '../schema/user-attributes.js';
import { scimCallerOf } from './scim-context.js';

/** Notes the requests of service users, and those without a valid token, in the provisioning log. */
export function noteRequests(
  scope: FastifyInstance,
  { provisioningLog, clock }: Pick<ScimNeeds, 'provisioningLog' | 'clock'>,
): void {
  scope.addHook('onResponse', (request, reply, done) => {
    const kind = kindOf(request, reply);
    if (kind !== undefined) {
      const orgId = organizationOf(request);
      provisioningLog.note({ orgId, kind }, () => ({ at: clock.now(), ...describe(request, reply) }));
    }
    done();
  });
}

/**
 * The kind of the entry for a request, or undefined for no entry. The log has only the provisioning clients of the organization. Callers
 * of other organizations, and people in the console, are left out.
 */
function kindOf(request: FastifyRequest, reply: FastifyReply): EntryKind | undefined {
  const caller = scimCallerOf(request);
  if (caller === undefined) {
    const isUnknownAddress = reply.statusCode === 404 && request.routeOptions.url === undefined;
    return reply.statusCode === 401 || isUnknownAddress ? 'refused' : undefined;
  }
  if (caller.principal.serviceUser === undefined || caller.context === undefined) return undefined;
  if (reply.statusCode >= 400) return 'failure';
  return request.routeOptions.config.polled ? undefined : 'success';
}

/** The organization of the path. The request may have no route, so the path is read. */
function organizationOf({ url }: FastifyRequest): string {
  const start = url.indexOf('/', url.indexOf('/', 1) + 1) + 1;
  const [orgId = ''] = url.slice(start, start + 201).split(/[/?]/, 1);
  return orgId.slice(0, 200);
}

/** The path behind the organization. */
function pathOf({ url }: FastifyRequest): string {
  const [, , , , ...rest] = (url.split('?', 1)[0] ?? '').split('/', 16);
  return `/${rest.join('/')}`;
}

function describe(request: FastifyRequest, reply: FastifyReply): Omit<LogEntry, keyof LogPlace | 'at'> {
  const caller = scimCallerOf(request);
  const schema = caller?.context?.userSchema ?? userSchema;
  const query = describeQuery((request.query ?? {}) as Record<string, unknown>, (name) =>
    isAttribute(schema, name),
  );
  const serviceUserId = caller?.principal.serviceUser?.id;
  const errorId = reply.getHeader(errorIdHeader);
  const userAgent = describeUserAgent(request.headers['user-agent']);
  return {
    ...(serviceUserId !== undefined && { serviceUserId }),
    method: request.method,
    path: describePath(pathOf(request)),
    ...(query !== '' && { query }),
    status: reply.statusCode,
    ...(errorId !== undefined && { errorId: String(errorId) }),
    duration: Math.round(reply.elapsedTime * 10) / 10,
    ...(userAgent !== undefined && { userAgent }),
  };
}

/** Sub-attributes that stand alone inside of a filter such as `emails[type eq "work"]`. */
const subAttributes = new Set(['type', 'value', 'primary', 'display', '$ref']);

function isAttribute(schema: ResourceSchema, name: string): boolean {
  return subAttributes.has(name) || (schema.find(name) ?? groupSchema.find(name)) !== undefined;
}
