/** Schema and message identifiers (RFC 7643 section 10, RFC 7644 section 8.2). */
export const urns = {
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  userExtension: 'urn:ietf:params:scim:schemas:extension:service:2.0:User',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
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
