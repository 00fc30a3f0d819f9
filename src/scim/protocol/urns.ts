/** Schema and message identifiers (RFC 7643 section 10, RFC 7644 section 8.2). */
export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  userExtension: 'urn:ietf:params:scim:schemas:extension:service:2.0:User',
  serviceProviderConfig: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  listResponse: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  searchRequest: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  errorDetail: 'urn:ietf:params:scim:api:service:messages:2.0:ErrorDetail',
} as const;

/** The URN of the core User schema, also in the spellings of SCIM 1.1 and of early drafts of SCIM 2.0. */
const coreUser = 'urn:(?:ietf:params:)?scim:schemas:core:[12]\\.0(?::user)?';
const wholeCoreUser = new RegExp(`^${coreUser}$`, 'i');
const coreUserPrefix = new RegExp(`^${coreUser}:`, 'i');

/** Whether the text is the URN of the core User schema, in the standard or a legacy spelling. */
export function isCoreUserUrn(text: string): boolean {
  return wholeCoreUser.test(text);
}

/** `urn:ietf:params:scim:schemas:core:2.0:User:name.givenName` becomes `name.givenName` (RFC 7644 section 3.10). */
export function withoutCoreUserUrn(attributeName: string): string {
  return attributeName.replace(coreUserPrefix, '');
}
