import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { AppError } from '#src/platform/errors.js';
import { scimBaseUrl } from './http/base-url.js';
import { refuseOtherMethods } from './http/refuse-methods.js';
import { scimOperation } from './http/scim-schema.js';
import { scimErrors } from './protocol/errors.js';
import { scimMediaType } from './protocol/media-type.js';
import { resourceTypeDocument, resourceTypesDocument } from './schema/resource-types-document.js';
import { schemaDocument, schemasDocument } from './schema/schemas-document.js';
import { serviceProviderConfig } from './schema/service-provider-config.js';

type Params = { orgId: string; id: string };

/** The discovery endpoints (RFC 7644 section 4). They need no token and are read-only. */
export function discoveryRoutes({ config }: Pick<Container, 'config'>): FastifyPluginAsync {
  const base = (request: FastifyRequest) => scimBaseUrl(config.baseUrl, (request.params as Params).orgId);
  const send = (reply: FastifyReply, document: unknown) =>
    reply.type(scimMediaType).send(JSON.stringify(document));
  const open = true;

  return async (app) => {
    const serve = (
      url: string,
      schema: ReturnType<typeof scimOperation>,
      document: (baseUrl: string, id: string) => unknown,
    ) => {
      app.get(url, { schema }, (request, reply) => {
        // RFC 7644 section 4: an answer that ignored the filter would mislead the client.
        if ('filter' in (request.query as object)) throw new AppError(scimErrors.filterForbidden);
        const { id } = request.params as Params;
        return send(reply, document(base(request), id));
      });
      refuseOtherMethods(app, url, ['GET']);
    };

    serve(
      '/ServiceProviderConfig',
      scimOperation('serviceProviderConfig', 'What the service supports', {
        answer: 'ServiceProviderConfig',
        open,
      }),
      (baseUrl) => serviceProviderConfig(baseUrl, `${config.baseUrl}/openapi.json`),
    );
    serve(
      '/Schemas',
      scimOperation('listSchemas', 'All schemas', { answer: 'ListResponse', open }),
      schemasDocument,
    );
    serve(
      '/Schemas/:id',
      scimOperation('readSchema', 'One schema', { answer: 'Schema', open }),
      (baseUrl, id) => {
        const found = schemaDocument(baseUrl, id);
        if (found === undefined) throw new AppError(scimErrors.schemaNotFound);
        return found;
      },
    );
    serve(
      '/ResourceTypes',
      scimOperation('listResourceTypes', 'All resource types', { answer: 'ListResponse', open }),
      resourceTypesDocument,
    );
    serve(
      '/ResourceTypes/:id',
      scimOperation('readResourceType', 'One resource type', { answer: 'ResourceType', open }),
      (baseUrl, id) => {
        const found = resourceTypeDocument(baseUrl, id);
        if (found === undefined) throw new AppError(scimErrors.resourceTypeNotFound);
        return found;
      },
    );
  };
}
