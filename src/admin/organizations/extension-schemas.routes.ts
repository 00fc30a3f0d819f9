import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
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
import { inOrganization } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { orgParams, shapedText, strictObject } from '../http/schemas.js';
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

/** Routes for the schemas by which an organization extends its users (RFC 7643 section 3.3). There are few, so the list has no pages. */
export function extensionSchemaRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'clock' | 'events' | 'logos' | 'mongo' | 'organizations' | 'quotas'>,
): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const schemasOf = async (orgId: string): Promise<readonly ExtensionSchema[]> => {
    const { extensionSchemas } = await requireOrganization(deps.organizations.find, orgId);
    return extensionSchemas?.schemas ?? [];
  };

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['extension schemas'],
      all: { path: '/orgs/:orgId/extension-schemas', params: orgParams },
      one: { path: '/orgs/:orgId/extension-schemas/:schemaId', params },
      shown: schema,
      toResponse,
    });
    routes.listAll({
      onRequest: mayRead,
      operationId: 'listExtensionSchemas',
      summary: 'List the schemas by which an organization extends its users',
      answer: Type.Object({ items: Type.Array(schema) }),
      all: ({ orgId }) => schemasOf(orgId),
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getExtensionSchema',
      summary: 'Read a schema of an organization',
      find: async ({ orgId, schemaId }) => requireSchema(await schemasOf(orgId), schemaId),
    });
    routes.put({
      onRequest: mayWrite,
      operationId: 'putExtensionSchema',
      summary: 'Add a schema, or replace the one with this URN',
      description:
        'Attributes that are left out are removed from the users. type, multiValued, unique and searchable of an attribute cannot change',
      body: given,
      fails: [400, 404, 409],
      async run({ schemaId: id, ...target }, body) {
        const put = { ...target, schema: wholeSchema(id, body) };
        const { extensionSchemas } = await putExtensionSchema(deps, put);
        return requireSchema(extensionSchemas?.schemas ?? [], id);
      },
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeExtensionSchema',
      summary: 'Remove a schema. Users no longer have its values',
      run: ({ schemaId: id, ...target }) => removeExtensionSchema(deps, { id, ...target }),
    });
  };
}

/** The schema that a body describes. A flag that it leaves out is false. */
function wholeSchema(id: string, { description = '', attributes, ...body }: Static<typeof given>) {
  const settings = attributes.map((attribute) => ({
    description: '',
    multiValued: false,
    required: false,
    unique: false,
    searchable: false,
    ...attribute,
  }));
  return { id, description, ...body, attributes: settings };
}

function requireSchema(schemas: readonly ExtensionSchema[], id: string): ExtensionSchema {
  const found = findSchema({ schemas }, id);
  if (found === undefined) throw new AppError(directoryErrors.extensionSchemaNotFound);
  return found;
}

/** The schema without the keys of its attributes. */
function toResponse({ attributes, ...fields }: ExtensionSchema) {
  return {
    ...fields,
    attributes: attributes.map(({ key: _key, canonicalValues, ...settings }) => ({
      ...settings,
      ...(canonicalValues && { canonicalValues: [...canonicalValues] }),
    })),
  };
}
