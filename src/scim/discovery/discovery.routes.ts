import type { FastifyPluginAsync } from 'fastify';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import { publicDocuments } from '#src/http/responses/public-document.js';
import { AppError } from '#src/platform/errors.js';
import { scimBaseUrl } from '../http/base-url.js';
import { refuseOtherMethods } from '../http/refuse-methods.js';
import { organizationKnownTo } from '../http/scim-context.js';
import { scimOperation } from '../http/scim-schema.js';
import type { ScimNeeds } from '../needs/needs.js';
import { scimErrors } from '../protocol/errors.js';
import { scimMediaType } from '../protocol/media-type.js';
import { userSchemaOf } from '../schema/registered-schema.js';
import { resourceTypeDocument, resourceTypesDocument } from './resource-types-document.js';
import { schemaDocument, schemasDocument } from './schemas-document.js';
import { serviceProviderConfig } from './service-provider-config.js';

type Params = { orgId: string; id?: string };

/** What the caller may know about the organization: everything, or nothing. */
type KnownOrganization = Partial<Pick<Organization, 'extensionSchemas' | 'version'>>;

const nothing: KnownOrganization = {};

/** What a document is made of. */
interface DiscoveryOptions {
  /** `{base_url}/scim/v2/{orgId}`. */
  readonly baseUrl: string;
  /** The address of the service. */
  readonly serviceUrl: string;
  /** Of the path; empty for a list. */
  readonly id: string;
  readonly organization: KnownOrganization;
}

interface DiscoveryDocument {
  readonly url: string;
  readonly schema: ReturnType<typeof scimOperation>;
  readonly make: (options: DiscoveryOptions) => unknown;
}

/** What the operations have in common. */
const shared = { errors: [403, 404], open: true };

const discoveryDocuments: readonly DiscoveryDocument[] = [
  {
    url: '/ServiceProviderConfig',
    schema: scimOperation('serviceProviderConfig', 'What the service supports', {
      description: 'It has the limits of a Bulk and of a list (RFC 7643 section 5).',
      answer: 'ServiceProviderConfig',
      ...shared,
    }),
    make: ({ baseUrl, serviceUrl }) => serviceProviderConfig(baseUrl, `${serviceUrl}/docs/api`),
  },
  {
    url: '/Schemas',
    schema: scimOperation('listSchemas', 'All schemas', {
      description: 'Each has its attributes with their rules (RFC 7643 section 7).',
      answer: 'SchemaListResponse',
      ...shared,
    }),
    make: ({ baseUrl, organization }) => schemasDocument(baseUrl, organization.extensionSchemas),
  },
  {
    url: '/Schemas/:id',
    schema: scimOperation('readSchema', 'One schema', {
      description: 'The identifier of a schema is its URN (RFC 7643 section 7).',
      answer: 'Schema',
      ...shared,
    }),
    make({ baseUrl, id, organization }) {
      const found = schemaDocument(baseUrl, id, organization.extensionSchemas);
      if (found === undefined) throw new AppError(scimErrors.schemaNotFound);
      return found;
    },
  },
  {
    url: '/ResourceTypes',
    schema: scimOperation('listResourceTypes', 'All resource types', {
      description: 'They are User and Group, with their addresses and schemas (RFC 7643 section 6).',
      answer: 'ResourceTypeListResponse',
      ...shared,
    }),
    make: ({ baseUrl, organization }) => resourceTypesDocument(baseUrl, userSchemaOf(organization)),
  },
  {
    url: '/ResourceTypes/:id',
    schema: scimOperation('readResourceType', 'One resource type', {
      description: 'The identifier is User or Group (RFC 7643 section 6).',
      answer: 'ResourceType',
      ...shared,
    }),
    make({ baseUrl, id, organization }) {
      const found = resourceTypeDocument(baseUrl, id, userSchemaOf(organization));
      if (found === undefined) throw new AppError(scimErrors.resourceTypeNotFound);
      return found;
    },
  },
];

/**
 * The discovery endpoints (RFC 7644 section 4). They need no token and are read-only. What an organization has registered is there only
 * for a caller with a role that reaches it. Each document of an organization is made once.
 */
export function discoveryRoutes(
  deps: Pick<ScimNeeds, 'authenticate' | 'caches' | 'config'>,
): FastifyPluginAsync {
  const serviceUrl = deps.config.baseUrl;
  const documents = publicDocuments();
  return async (app) => {
    for (const { url, schema, make } of discoveryDocuments) {
      app.get(url, { schema }, async (request, reply) => {
        // RFC 7644 section 4: an answer that ignored the filter would mislead the client.
        if ('filter' in (request.query as object)) throw new AppError(scimErrors.filterForbidden);
        const { orgId, id = '' } = request.params as Params;
        // Whoever invents organizations must not make this process write a document for each of them.
        if ((await deps.caches.organizations.get(orgId)) === undefined)
          throw new AppError(directoryErrors.organizationNotFound);
        const organization = (await organizationKnownTo(deps, request)) ?? nothing;
        const key = JSON.stringify([orgId, url, id.toLowerCase(), organization.version]);
        const baseUrl = scimBaseUrl(serviceUrl, orgId);
        const { plain } = documents(key, () =>
          JSON.stringify(make({ baseUrl, serviceUrl, id, organization })),
        );
        return reply.type(scimMediaType).send(plain);
      });
      refuseOtherMethods(app, url, ['GET']);
    }
  };
}
