import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { domainNameText } from '#src/directory/index.js';
import { requireOnInstance } from '#src/http/auth/bearer-auth.js';
import {
  addDomain,
  changeDomain,
  domainsOf,
  removeDomain,
  requireDomain,
  requireDomainName,
  requireOrganization,
} from '#src/organizations/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { callerOf, editorOf, inOrganization } from '../http/caller.js';
import {
  located,
  noContent,
  orgParams,
  problems,
  security,
  shapedText,
  strictObject,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const isVerified = Type.Boolean({
  description: 'Muster relies only on verified domains; only an instance owner verifies one',
});
const isPrimary = Type.Boolean({ description: 'People sign in as name@domain; must be verified' });
const domain = Type.Object({ domainName: Type.String(), isVerified, isPrimary }, { title: 'Domain' });
/** Nothing relies on a domain without proof of ownership. */
const primaryIsVerified = {
  anyOf: [
    { properties: { isPrimary: { const: false } } },
    { properties: { isVerified: { const: true } }, required: ['isVerified'] },
  ],
};
/** The same for a change of a domain, which may be verified already. */
const staysVerified = {
  anyOf: [{ properties: { isPrimary: { const: false } } }, { properties: { isVerified: { const: true } } }],
};
const domainParams = Type.Object({
  ...orgParams.properties,
  domainName: Type.String({ minLength: 1, maxLength: 300, ruled: domainNameText }),
});

const tags = ['organizations'];

/** Routes for the single domain names of an organization. It has at most 200, so the list has no pages. */
export function domainRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'clock' | 'config' | 'events' | 'mongo' | 'organizations' | 'quotas'>,
): FastifyPluginAsyncTypebox {
  const { config } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    app.get(
      '/orgs/:orgId/domains',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listDomains',
          summary: 'List the domains of an organization',
          params: orgParams,
          response: { 200: Type.Object({ items: Type.Array(domain) }), ...problems(404) },
        },
      },
      async (request) => ({
        items: domainsOf(await requireOrganization(deps.organizations.find, request.params.orgId)),
      }),
    );

    app.get(
      '/orgs/:orgId/domains/:domainName',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getDomain',
          summary: 'Read a domain of an organization',
          params: domainParams,
          response: { 200: domain, ...problems(404) },
        },
      },
      async (request) => {
        const organization = await requireOrganization(deps.organizations.find, request.params.orgId);
        return requireDomain(organization, requireDomainName(request.params.domainName));
      },
    );

    app.post(
      '/orgs/:orgId/domains',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addDomain',
          summary: 'Add a domain; it is verified only if the request says so',
          params: orgParams,
          body: strictObject(
            {
              domainName: shapedText(300, domainNameText),
              isVerified: Type.Optional(isVerified),
              isPrimary: Type.Optional(isPrimary),
            },
            { examples: [{ domainName: 'shop.example', isVerified: true }], ruled: primaryIsVerified },
          ),
          response: { 201: domain, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        requireMayVerify(request, request.body);
        const { domainName, ...given } = request.body;
        const target = { orgId, domainName, editor: editorOf(request) };
        const added = await addDomain(deps, target, given);
        reply.header(
          'location',
          `${config.baseUrl}/admin/v1/orgs/${orgId}/domains/${pathSegment(added.domainName)}`,
        );
        return reply.code(201).send(added);
      },
    );

    app.patch(
      '/orgs/:orgId/domains/:domainName',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'changeDomain',
          summary: 'Change a domain; making it primary replaces the primary domain',
          params: domainParams,
          body: strictObject(
            { isVerified: Type.Optional(isVerified), isPrimary: Type.Optional(isPrimary) },
            { ruled: staysVerified, examples: [{ isVerified: true, isPrimary: true }] },
          ),
          response: { 200: domain, ...problems(400, 404, 409) },
        },
      },
      async (request) => {
        requireMayVerify(request, request.body);
        const target = { ...request.params, editor: editorOf(request) };
        return changeDomain(deps, target, request.body);
      },
    );

    app.delete(
      '/orgs/:orgId/domains/:domainName',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeDomain',
          summary: 'Remove a domain; the next verified domain becomes primary',
          params: domainParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        await removeDomain(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

/**
 * Throws if a caller that does not own the instance sets `isVerified`. Users sign in under a verified domain. An
 * organization that verified a foreign domain would receive the login names of that domain.
 */
function requireMayVerify(request: FastifyRequest, { isVerified }: { isVerified?: boolean }): void {
  if (isVerified === true) requireOnInstance(callerOf(request), 'instance.manage');
}
