import { defineErrors } from '#src/platform/errors.js';

/** Errors of SCIM requests that do not reach the directory (RFC 7644 table 9). */
export const scimErrors = defineErrors('scim', {
  badJson: { kind: 'invalid', scimType: 'invalidSyntax', message: 'The body is not valid JSON' },
  wrongType: { kind: 'invalid', scimType: 'invalidSyntax', message: 'A value has the wrong JSON type' },
  missingSchema: {
    kind: 'invalid',
    scimType: 'invalidSyntax',
    message: 'schemas lacks the URN of the schema',
  },
  badPatchOp: {
    kind: 'invalid',
    scimType: 'invalidSyntax',
    message: 'The PATCH operation is not well-formed',
  },
  missingValue: { kind: 'invalid', scimType: 'invalidValue', message: 'A required value is missing' },
  badValue: { kind: 'invalid', scimType: 'invalidValue', message: 'A value is not valid' },
  badMediaType: {
    kind: 'invalid',
    scimType: 'invalidValue',
    message: 'Requests and answers are application/scim+json or application/json in UTF-8',
  },
  badCount: {
    kind: 'invalid',
    scimType: 'invalidValue',
    message: 'count or startIndex is not a whole number',
  },
  badSort: { kind: 'invalid', scimType: 'invalidValue', message: 'sortBy or sortOrder is not supported' },
  bothProjections: {
    kind: 'invalid',
    scimType: 'invalidValue',
    message: 'attributes and excludedAttributes exclude each other',
  },
  badCursor: { kind: 'invalid', scimType: 'invalidCursor', message: 'The cursor is not valid' },
  filterSyntax: { kind: 'invalid', scimType: 'invalidFilter', message: 'The filter is not well-formed' },
  filterUnsupported: {
    kind: 'invalid',
    scimType: 'invalidFilter',
    message: 'The filter compares an attribute in a way that is not supported',
  },
  filterTooLong: {
    kind: 'invalid',
    scimType: 'invalidFilter',
    message: 'The filter has more than 1000 characters',
  },
  filterTooCostly: {
    kind: 'invalid',
    scimType: 'tooMany',
    message: 'The filter has too many conditions for which every resource is read',
  },
  startIndexTooDeep: {
    kind: 'invalid',
    scimType: 'tooMany',
    message: 'The page is too deep in the list to be found by startIndex',
  },
  tooManySearches: {
    kind: 'rateLimited',
    message: 'Too many searches of the organization that read every resource wait',
  },
  tooManyLists: {
    kind: 'rateLimited',
    message: 'Too many large lists of the organization are read or sent',
  },
  pageTooLarge: {
    kind: 'invalid',
    scimType: 'tooMany',
    message:
      'The page by startIndex has more than 8 MiB, or groups with more than 100,000 members together. Send a smaller count, or page by cursor: send an empty cursor first (RFC 9865)',
  },
  tooManyPolls: {
    kind: 'rateLimited',
    message:
      'The caller has more than two polls under way, or more than 100 polls of the organization wait, or this one has waited for 10 seconds',
  },
  tooManyReceivers: {
    kind: 'forbidden',
    message:
      'The organization has 100 receivers of security event tokens. One ends 30 days after its last poll, or with its caller',
  },
  badPath: {
    kind: 'invalid',
    scimType: 'invalidPath',
    message: 'The path is malformed or names no known attribute',
  },
  pathRequired: { kind: 'invalid', scimType: 'noTarget', message: 'remove needs a path' },
  noTarget: { kind: 'invalid', scimType: 'noTarget', message: 'The path matches no value' },
  readOnly: { kind: 'invalid', scimType: 'mutability', message: 'The attribute is read-only' },
  requiredRemoved: {
    kind: 'invalid',
    scimType: 'mutability',
    message: 'A required attribute cannot be removed',
  },
  tooMuchWork: {
    kind: 'invalid',
    scimType: 'tooMany',
    message: 'The operations compare too many values. Send them in several requests',
  },
  versionChanged: {
    kind: 'preconditionFailed',
    message: 'The resource has another version than the request expects',
  },
  tooManyOperations: { kind: 'tooLarge', message: 'The request has too many operations' },
  schemaNotFound: { kind: 'notFound', message: 'Schema not found' },
  resourceTypeNotFound: { kind: 'notFound', message: 'Resource type not found' },
  urlNotFound: { kind: 'notFound', message: 'Nothing is served at this URL' },
  filterForbidden: { kind: 'forbidden', message: 'This endpoint does not filter' },
  meNotImplemented: { kind: 'notImplemented', message: 'The alias /Me is not supported' },
  methodNotAllowed: { kind: 'methodNotAllowed', message: 'The method is not allowed at this URL' },
});
