import { type Attribute, attribute } from './attribute.js';

/** Attributes of the resources that describe the service itself. All of them are read-only. */

type Differences = Partial<Omit<Attribute, 'name' | 'description'>>;

function fact(name: string, description: string, differences: Differences = {}): Attribute {
  return attribute(name, description, {
    caseExact: true,
    mutability: 'readOnly',
    required: true,
    ...differences,
  });
}

function flag(name: string, description: string): Attribute {
  return fact(name, description, { type: 'boolean', caseExact: false });
}

function number(name: string, description: string): Attribute {
  return fact(name, description, { type: 'integer', caseExact: false });
}

function group(name: string, description: string, ...subAttributes: Attribute[]): Attribute {
  return fact(name, description, { type: 'complex', caseExact: false, subAttributes });
}

function list(member: Attribute): Attribute {
  return { ...member, multiValued: true };
}

const externalReference = { type: 'reference', referenceTypes: ['external'] } as const;
const uriReference = { type: 'reference', referenceTypes: ['uri'] } as const;
const optional = { required: false } as const;
const supported = flag('supported', 'Whether it is supported.');

/** RFC 7643 section 5, with the attributes for pagination of RFC 9865 section 4. */
export const serviceProviderConfigAttributes: readonly Attribute[] = [
  fact('documentationUri', 'Where people read about the service.', { ...externalReference, ...optional }),
  group('patch', 'Support of PATCH.', supported),
  group(
    'bulk',
    'Support of bulk requests.',
    supported,
    number('maxOperations', 'Most operations in one request.'),
    number('maxPayloadSize', 'Most bytes in one request.'),
  ),
  group('filter', 'Support of filters.', supported, number('maxResults', 'Most resources in one answer.')),
  group('changePassword', 'Support of setting passwords.', supported),
  group('sort', 'Support of sorting.', supported),
  group('etag', 'Support of entity tags.', supported),
  {
    ...group(
      'pagination',
      'Support of pagination.',
      flag('cursor', 'Whether pages can be asked for by cursor.'),
      flag('index', 'Whether pages can be asked for by index.'),
      fact('defaultPaginationMethod', 'What is used when the client does not say.', {
        ...optional,
        canonicalValues: ['cursor', 'index'],
      }),
      { ...number('defaultPageSize', 'Resources in a page when the client does not say.'), ...optional },
      { ...number('maxPageSize', 'Most resources in a page.'), ...optional },
    ),
    ...optional,
  },
  list(
    group(
      'authenticationSchemes',
      'How clients authenticate.',
      fact('type', 'Kind of scheme.', {
        canonicalValues: ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest'],
      }),
      fact('name', 'Name of the scheme.'),
      fact('description', 'What the scheme is.'),
      fact('specUri', 'Where the scheme is specified.', { ...externalReference, ...optional }),
      fact('documentationUri', 'Where people read about the scheme.', { ...externalReference, ...optional }),
      { ...flag('primary', 'Whether this is the preferred scheme.'), ...optional },
    ),
  ),
];

/** RFC 7643 section 6. */
export const resourceTypeAttributes: readonly Attribute[] = [
  fact('id', 'Identifier of the resource type.', optional),
  fact('name', 'Name of the resource type.'),
  fact('description', 'What the resource type is.', optional),
  fact('endpoint', 'Where its resources are, relative to the base URL.', uriReference),
  fact('schema', 'URN of its core schema.', uriReference),
  {
    ...list(
      group(
        'schemaExtensions',
        'Extensions of the resource type.',
        fact('schema', 'URN of the extension.', uriReference),
        flag('required', 'Whether resources must have it.'),
      ),
    ),
    ...optional,
  },
];

const characteristics: readonly Attribute[] = [
  fact('name', 'Name of the attribute.'),
  fact('type', 'Data type.', {
    canonicalValues: [
      'string',
      'boolean',
      'decimal',
      'integer',
      'dateTime',
      'reference',
      'binary',
      'complex',
    ],
  }),
  flag('multiValued', 'Whether it is a list.'),
  fact('description', 'What it means.', optional),
  flag('required', 'Whether a resource must have it.'),
  list(fact('canonicalValues', 'Suggested values.', optional)),
  { ...flag('caseExact', 'Whether letter case matters.'), ...optional },
  fact('mutability', 'Who may change it.', {
    canonicalValues: ['readOnly', 'readWrite', 'immutable', 'writeOnly'],
  }),
  fact('returned', 'When it is returned.', { canonicalValues: ['always', 'never', 'default', 'request'] }),
  fact('uniqueness', 'Within what its values are unique.', {
    ...optional,
    canonicalValues: ['none', 'server', 'global'],
  }),
  list(fact('referenceTypes', 'What it may refer to.', optional)),
];

/** RFC 7643 section 7. */
export const schemaAttributes: readonly Attribute[] = [
  fact('id', 'URN of the schema.'),
  fact('name', 'Name of the schema.', optional),
  fact('description', 'What the schema describes.', optional),
  list(
    group('attributes', 'The attributes of the schema.', ...characteristics, {
      ...list(group('subAttributes', 'The parts of a complex attribute.', ...characteristics)),
      ...optional,
    }),
  ),
];
