import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  descriptionText,
  directoryErrors,
  type ExtensionSchema,
  extensionTypes,
  findSchema,
  objectName,
} from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import {
  extensionLimits,
  putExtensionSchema,
  removeExtensionSchema,
} from '#src/people/extension-schemas/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { noContent, orgParams, problems, security, shapedText, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const flag = (description: string) => Type.Boolean({ description });
const description = shapedText(extensionLimits.description, descriptionText);

const attribute = {
  name: Type.String({
    maxLength: 64,
    description:
      '1 to 64 letters, digits, _ and -, the first a letter. No two have the same, in any letter case',
    ruled: {
      pattern: '^[A-Za-z][A-Za-z0-9_\\-]{0,63}$',
      not: { enum: Object.getOwnPropertyNames(Object.prototype) },
    },
  }),
  type: Type.Unsafe<(typeof extensionTypes)[number]>({ type: 'string', enum: [...extensionTypes] }),
  multiValued: flag('Whether it is a list of texts; only for string and reference'),
  required: flag('Whether POST, PUT and an import need it'),
  unique: flag('Whether no other user may have the value, in any letter case. It is then searchable too'),
  searchable: flag('Whether an index serves the filter eq; only for string, reference and integer'),
  description,
};
const canonicalValues = Type.Array(shapedText(200, objectName), {
  maxItems: extensionLimits.canonicalValues,
  description: 'Suggested values of a string. Others are accepted',
});

const schema = Type.Object(
  {
    id: Type.String({ description: 'URN of the schema' }),
    name: Type.String(),
    description: Type.String(),
    attributes: Type.Array(Type.Object({ ...attribute, canonicalValues: Type.Optional(canonicalValues) })),
  },
  { title: 'ExtensionSchema' },
);

const hasType = (...types: string[]) => ({ properties: { type: { enum: types } } });
const isFalse = (name: string) => ({ properties: { [name]: { const: false } } });
/** What the type of an attribute allows. */
const fittingFlags = {
  allOf: [
    { anyOf: [isFalse('multiValued'), hasType('string', 'reference')] },
    { anyOf: [isFalse('multiValued'), isFalse('unique')] },
    { anyOf: [isFalse('unique'), hasType('string', 'reference', 'integer')] },
    { anyOf: [isFalse('searchable'), hasType('string', 'reference', 'integer')] },
    { anyOf: [{ properties: { canonicalValues: false } }, hasType('string')] },
  ],
};

const { name, type, ...others } = attribute;
const given = strictObject(
  {
    name: shapedText(1000, objectName),
    description: Type.Optional(description),
    attributes: Type.Array(
      strictObject(
        {
          name,
          type,
          ...Type.Partial(Type.Object(others)).properties,
          canonicalValues: Type.Optional(canonicalValues),
        },
        { ruled: fittingFlags },
      ),
      { minItems: 1, maxItems: extensionLimits.attributes },
    ),
  },
  {
    examples: [
      {
        name: 'Badge',
        attributes: [
          { name: 'badgeNumber', type: 'string', unique: true },
          { name: 'floor', type: 'integer' },
        ],
      },
    ],
  },
);

const params = Type.Object({
  ...orgParams.properties,
  schemaId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'URN of the schema, such as urn:example:scim:2.0:User',
    ruled: {
      pattern: '^[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9\\-]{0,30}[A-Za-z0-9](?::[A-Za-z0-9][A-Za-z0-9._\\-]*)+$',
    },
  }),
});

const tags = ['extension schemas'];

/** Routes for the schemas by which an organization extends its users (RFC 7643 section 3.3). There are few, so the list has no pages. */
export function extensionSchemaRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'clock' | 'events' | 'mongo' | 'organizations' | 'quotas'>,
): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const schemasOf = async (orgId: string): Promise<readonly ExtensionSchema[]> => {
    const { extensionSchemas } = await requireOrganization(deps.organizations.find, orgId);
    return extensionSchemas?.schemas ?? [];
  };

  return async (app) => {
    app.get(
      '/orgs/:orgId/extension-schemas',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listExtensionSchemas',
          summary: 'List the schemas by which an organization extends its users',
          params: orgParams,
          response: { 200: Type.Object({ items: Type.Array(schema) }), ...problems(404) },
        },
      },
      async (request) => ({ items: (await schemasOf(request.params.orgId)).map(present) }),
    );

    app.get(
      '/orgs/:orgId/extension-schemas/:schemaId',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getExtensionSchema',
          summary: 'Read a schema of an organization',
          params,
          response: { 200: schema, ...problems(404) },
        },
      },
      async (request) => {
        const { orgId, schemaId } = request.params;
        return present(requireSchema(await schemasOf(orgId), schemaId));
      },
    );

    app.put(
      '/orgs/:orgId/extension-schemas/:schemaId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'putExtensionSchema',
          summary: 'Add a schema, or replace the one with this URN',
          description:
            'Attributes that are left out are removed from the users. type, multiValued, unique and searchable of an attribute cannot change',
          params,
          body: given,
          response: { 200: schema, ...problems(400, 404, 409) },
        },
      },
      async (request) => {
        const { orgId, schemaId: id } = request.params;
        const { description = '', attributes, ...body } = request.body;
        const settings = attributes.map((attribute) => ({
          description: '',
          multiValued: false,
          required: false,
          unique: false,
          searchable: false,
          ...attribute,
        }));
        const { extensionSchemas } = await putExtensionSchema(deps, {
          orgId,
          schema: { id, description, ...body, attributes: settings },
          editor: editorOf(request),
        });
        return present(requireSchema(extensionSchemas?.schemas ?? [], id));
      },
    );

    app.delete(
      '/orgs/:orgId/extension-schemas/:schemaId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeExtensionSchema',
          summary: 'Remove a schema. Users no longer have its values',
          params,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { orgId, schemaId } = request.params;
        await removeExtensionSchema(deps, { orgId, id: schemaId, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function requireSchema(schemas: readonly ExtensionSchema[], id: string): ExtensionSchema {
  const found = findSchema({ schemas }, id);
  if (found === undefined) throw new AppError(directoryErrors.extensionSchemaNotFound);
  return found;
}

/** The schema without the keys of its attributes. */
function present({ attributes, ...fields }: ExtensionSchema) {
  return {
    ...fields,
    attributes: attributes.map(({ key: _key, canonicalValues, ...settings }) => ({
      ...settings,
      ...(canonicalValues && { canonicalValues: [...canonicalValues] }),
    })),
  };
}
