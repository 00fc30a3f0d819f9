import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Container } from '#src/container.js';
import { directoryErrors } from '#src/directory/errors.js';
import { changeOrganization } from '#src/directory/organizations/change-organization.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import {
  type DomainLists,
  domainsOf,
  findDomain,
  type OrganizationDomain,
  withDomain,
  withoutDomain,
} from '#src/directory/organizations/organization-domains.js';
import { requireDomainName } from '#src/directory/organizations/organization-rules.js';
import { requireOnInstance } from '#src/http/auth/bearer-auth.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf, inOrganization } from './http/caller.js';
import { noContent, orgParams, problems, security, strictObject } from './schemas.js';

const isVerified = Type.Boolean({
  description: 'Muster relies only on verified domains; only an instance owner verifies one',
});
const isPrimary = Type.Boolean({ description: 'People sign in as name@domain; must be verified' });
const domain = Type.Object({ domainName: Type.String(), isVerified, isPrimary });
const domainParams = Type.Object({
  ...orgParams.properties,
  domainName: Type.String({ minLength: 1, maxLength: 300 }),
});

const tags = ['organizations'];

/** The domain names of an organization, one by one; at most 200, so the list has no pages. */
export function domainRoutes(container: Container): FastifyPluginAsyncTypebox {
  const { organizations, config } = container;
  const mayRead = inOrganization(container, 'org.read');
  const mayWrite = inOrganization(container, 'org.write');

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
      async (request) => ({ items: domainsOf(await requireOrganization(request.params.orgId)) }),
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
        const organization = await requireOrganization(request.params.orgId);
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
          body: strictObject({
            domainName: Type.String({ maxLength: 300 }),
            isVerified: Type.Optional(isVerified),
            isPrimary: Type.Optional(isPrimary),
          }),
          response: { 201: domain, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        requireMayVerify(request);
        const domainName = requireDomainName(request.body.domainName);
        const added = { isVerified: false, isPrimary: false, ...request.body, domainName };
        const changed = await changeOrganization(container, {
          orgId,
          editor: editorOf(request),
          change(current) {
            if (findDomain(current, domainName)) throw new AppError(directoryErrors.domainExists);
            return listsOf(withDomain(current, added));
          },
        });
        reply.header('location', `${config.baseUrl}/admin/v1/orgs/${orgId}/domains/${domainName}`);
        return reply.code(201).send(requireDomain(changed, domainName));
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
          body: strictObject({
            isVerified: Type.Optional(isVerified),
            isPrimary: Type.Optional(isPrimary),
          }),
          response: { 200: domain, ...problems(400, 404, 409) },
        },
      },
      async (request) => {
        const { orgId } = request.params;
        requireMayVerify(request);
        const domainName = requireDomainName(request.params.domainName);
        const changed = await changeOrganization(container, {
          orgId,
          editor: editorOf(request),
          change(current) {
            const before = requireDomain(current, domainName);
            const isPrimary = before.isPrimary && request.body.isVerified !== false;
            return listsOf(withDomain(current, { ...before, isPrimary, ...request.body }));
          },
        });
        return requireDomain(changed, domainName);
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
        const { orgId } = request.params;
        const domainName = requireDomainName(request.params.domainName);
        await changeOrganization(container, {
          orgId,
          editor: editorOf(request),
          change(current) {
            requireDomain(current, domainName);
            return listsOf(withoutDomain(current, domainName));
          },
        });
        return reply.code(204).send(null);
      },
    );
  };

  async function requireOrganization(orgId: string): Promise<Organization> {
    const found = await organizations.find(orgId);
    if (found === undefined) throw new AppError(directoryErrors.organizationNotFound);
    return found;
  }
}

/** The lists alone: what a change of the organization is to touch. */
function listsOf({ domains, unverifiedDomains }: DomainLists): DomainLists {
  return { domains, unverifiedDomains };
}

/**
 * Only owners of the instance say that a domain is verified: people sign in under it, so who claims the domain of
 * another organization would be given its names.
 */
function requireMayVerify(request: FastifyRequest<{ Body: { isVerified?: boolean } }>): void {
  if (request.body.isVerified === true) requireOnInstance(callerOf(request), 'instance.manage');
}

function requireDomain(lists: DomainLists, domainName: string): OrganizationDomain {
  const found = findDomain(lists, domainName);
  if (found === undefined) throw new AppError(directoryErrors.domainNotFound);
  return found;
}
