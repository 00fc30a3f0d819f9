import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { requireMayVerify } from '#src/access/authority/index.js';
import { domainNameText } from '#src/directory/index.js';
import {
  addDomain,
  changeDomain,
  domainsOf,
  type OrganizationDomain,
  removeDomain,
  requireDomain,
  requireDomainName,
  requireOrganization,
} from '#src/organizations/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { callerOf, inOrganization } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { orgParams, shapedText, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const isVerified = Type.Boolean({
  description:
    'Muster relies only on verified domains. An instance owner says so, or the owner of the organization proves it by DNS',
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
export const domainParams = Type.Object({
  ...orgParams.properties,
  domainName: Type.String({ minLength: 1, maxLength: 300, ruled: domainNameText }),
});

const toAdd = strictObject(
  {
    domainName: shapedText(300, domainNameText),
    isVerified: Type.Optional(isVerified),
    isPrimary: Type.Optional(isPrimary),
  },
  { examples: [{ domainName: 'shop.example', isVerified: true }], ruled: primaryIsVerified },
);
const change = strictObject(
  { isVerified: Type.Optional(isVerified), isPrimary: Type.Optional(isPrimary) },
  { ruled: staysVerified, examples: [{ isVerified: true, isPrimary: true }] },
);

export const domainPath = '/orgs/:orgId/domains/:domainName';

/** Routes for the single domain names of an organization. It has at most 200, so the list has no pages. */
export function domainRoutes(
  deps: Pick<
    AdminNeeds,
    'caches' | 'clock' | 'config' | 'domainProofs' | 'events' | 'logos' | 'mongo' | 'organizations' | 'quotas'
  >,
): FastifyPluginAsyncTypebox {
  const { config, organizations } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['organizations'],
      all: { path: '/orgs/:orgId/domains', params: orgParams },
      one: { path: domainPath, params: domainParams },
      shown: domain,
      toResponse: (found: OrganizationDomain) => found,
    });
    routes.listAll({
      onRequest: mayRead,
      operationId: 'listDomains',
      summary: 'List the domains of an organization',
      answer: Type.Object({ items: Type.Array(domain) }),
      all: async ({ orgId }) => domainsOf(await requireOrganization(organizations.find, orgId)),
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getDomain',
      summary: 'Read a domain of an organization',
      async find({ orgId, domainName }) {
        const organization = await requireOrganization(organizations.find, orgId);
        return requireDomain(organization, requireDomainName(domainName));
      },
    });
    routes.add({
      onRequest: mayWrite,
      operationId: 'addDomain',
      summary: 'Add a domain; it is verified only if the request says so',
      body: toAdd,
      fails: [400, 404, 409],
      run(target, { domainName, ...given }, request) {
        requireMayVerify(callerOf(request).memberships, given);
        return addDomain(deps, { ...target, domainName }, given);
      },
      location: ({ domainName }, { orgId }) =>
        `${config.baseUrl}/admin/v1/orgs/${orgId}/domains/${pathSegment(domainName)}`,
    });
    routes.change({
      onRequest: mayWrite,
      operationId: 'changeDomain',
      summary: 'Change a domain; making it primary replaces the primary domain',
      body: change,
      fails: [400, 404, 409],
      run(target, body, request) {
        requireMayVerify(callerOf(request).memberships, body);
        return changeDomain(deps, target, body);
      },
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeDomain',
      summary: 'Remove a domain; the next verified domain becomes primary',
      run: (target) => removeDomain(deps, target),
    });
  };
}
