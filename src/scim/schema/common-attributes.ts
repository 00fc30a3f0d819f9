import { type Attribute, attribute } from './attribute.js';
import { exactExternalId, exactId, instant } from './search-rule.js';

/** Attributes that every resource has (RFC 7643 section 3.1). Schemas do not list them. */
export const commonAttributes: readonly Attribute[] = [
  attribute('schemas', 'URNs of the schemas of the resource.', {
    type: 'reference',
    multiValued: true,
    required: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    referenceTypes: ['uri'],
  }),
  attribute('id', 'Identifier that the service assigned.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'global',
    search: exactId,
  }),
  attribute('externalId', 'Identifier that the provisioning client uses.', {
    caseExact: true,
    search: exactExternalId,
  }),
  attribute('meta', 'What the service knows about the resource.', {
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      metaAttribute('resourceType', 'Name of the resource type.', 'string'),
      { ...metaAttribute('created', 'When it was added.', 'dateTime'), search: instant('created') },
      {
        ...metaAttribute('lastModified', 'When it last changed.', 'dateTime'),
        search: instant('lastModified'),
      },
      metaAttribute('version', 'The entity tag of the resource. It differs after every change.', 'string'),
      metaAttribute('location', 'URL of the resource.', 'reference'),
    ],
  }),
];

function metaAttribute(name: string, description: string, type: Attribute['type']): Attribute {
  return attribute(name, description, { type, caseExact: true, mutability: 'readOnly' });
}
