import { urns } from '../protocol/urns.js';
import { type Attribute, attribute } from './attribute.js';
import { employmentRule } from './search-rule.js';

/**
 * The Enterprise User extension (RFC 7643 section 4.3). A resource has it in an object under the URN. The values are stored beside the
 * core attributes. Of the manager only the identifier is stored.
 */
export const enterpriseUser: Attribute = attribute(
  urns.enterpriseUser,
  'How the user is employed in the organization.',
  {
    type: 'complex',
    subAttributes: [
      attribute('employeeNumber', 'Number or name by which the organization knows the employee.', {
        search: employmentRule('employeeNumber'),
      }),
      attribute('costCenter', 'Name of the cost center.'),
      attribute('organization', 'Name of the organization.'),
      attribute('division', 'Name of the division.'),
      attribute('department', 'Name of the department.'),
      attribute('manager', 'The manager. A bare text is its identifier.', {
        type: 'complex',
        bareValue: true,
        search: employmentRule('manager'),
        subAttributes: [
          attribute('value', 'Identifier of the user who is the manager, or will be.', {
            caseExact: true,
            search: employmentRule('manager'),
          }),
          attribute('$ref', 'URL of the manager. The service makes it of the value.', {
            type: 'reference',
            caseExact: true,
            isMade: true,
            referenceTypes: ['User'],
          }),
          attribute('displayName', 'displayName of the manager, if that user exists.', {
            mutability: 'readOnly',
          }),
        ],
      }),
    ],
  },
);
