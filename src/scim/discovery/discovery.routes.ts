import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
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
type KnownOrganization = Pick<Organization, 'extensionSchemas'>;

const nothing: KnownOrganization = {};

/**
 * The discovery endpoints (RFC 7644 section 4). They need no token and are read-only. What an organization has registered is there only
 * for a caller with a role that reaches it. Each document of an organization is made once.
 */
export function discoveryRoutes(
  deps: Pick<ScimNeeds, 'authenticate' | 'caches' | 'config'>,
): FastifyPluginAsync {
  const { config } = deps;
  const base = (request: FastifyRequest) => scimBaseUrl(config.baseUrl, (request.params as Params).orgId);
  const documents = publicDocuments();
  const open = true;

  return async (app) => {
    const serve = (
      url: string,
      schema: ReturnType<typeof scimOperation>,
      document: (baseUrl: string, id: string, organization: KnownOrganization) => unknown,
    ) => {
      app.get(url, { schema }, async (request, reply) => {
        // RFC 7644 section 4: an answer that ignored the filter would mislead the client.
        if ('filter' in (request.query as object)) throw new AppError(scimErrors.filterForbidden);
        const { orgId, id = '' } = request.params as Params;
        // Whoever invents organizations must not make this process write a document for each of them.
        if ((await deps.caches.organizations.get(orgId)) === undefined)
          throw new AppError(directoryErrors.organizationNotFound);
        const known = await organizationKnownTo(deps, request);
        const key = JSON.stringify([orgId, url, id.toLowerCase(), known?.version]);
        const { plain } = documents(key, () => JSON.stringify(document(base(request), id, known ?? nothing)));
        return reply.type(scimMediaType).send(plain);
      });
      refuseOtherMethods(app, url, ['GET']);
    };

    serve(
      '/ServiceProviderConfig',
      scimOperation('serviceProviderConfig', 'What the service supports', {
        description: 'It has the limits of a Bulk and of a list (RFC 7643 section 5).',
        answer: 'ServiceProviderConfig',
        errors: [403, 404],
        open,
      }),
      (baseUrl) => serviceProviderConfig(baseUrl, `${config.baseUrl}/docs/api`),
    );
    serve(
      '/Schemas',
      scimOperation('listSchemas', 'All schemas', {
        description: 'Each has its attributes with their rules (RFC 7643 section 7).',
        answer: 'SchemaListResponse',
        errors: [403, 404],
        open,
      }),
      (baseUrl, _id, { extensionSchemas }) => schemasDocument(baseUrl, extensionSchemas),
    );
    serve(
      '/Schemas/:id',
      scimOperation('readSchema', 'One schema', {
        description: 'The identifier of a schema is its URN (RFC 7643 section 7).',
        answer: 'Schema',
        errors: [403, 404],
        open,
      }),
      (baseUrl, id, { extensionSchemas }) => {
        const found = schemaDocument(baseUrl, id, extensionSchemas);
        if (found === undefined) throw new AppError(scimErrors.schemaNotFound);
        return found;
      },
    );
    serve(
      '/ResourceTypes',
      scimOperation('listResourceTypes', 'All resource types', {
        description: 'They are User and Group, with their addresses and schemas (RFC 7643 section 6).',
        answer: 'ResourceTypeListResponse',
        errors: [403, 404],
        open,
      }),
      (baseUrl, _id, organization) => resourceTypesDocument(baseUrl, userSchemaOf(organization)),
    );
    serve(
      '/ResourceTypes/:id',
      scimOperation('readResourceType', 'One resource type', {
        description: 'The identifier is User or Group (RFC 7643 section 6).',
        answer: 'ResourceType',
        errors: [403, 404],
        open,
      }),
      (baseUrl, id, organization) => {
        const found = resourceTypeDocument(baseUrl, id, userSchemaOf(organization));
        if (found === undefined) throw new AppError(scimErrors.resourceTypeNotFound);
        return found;
      },
    );
  };
}
