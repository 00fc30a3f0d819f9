import { limits } from '../protocol/limits.js';
import { urns } from '../protocol/urns.js';
import type { ScimResource } from '../resources/scim-resource.js';

/**
 * The answer of `/ServiceProviderConfig` (RFC 7643 section 5, RFC 9865 section 4). It has no `securityEvents` (RFC 9967 section 4): strict
 * clients, such as scim2-cli and the SDK of UnboundID, end at a member that they do not know.
 */
export function serviceProviderConfig(baseUrl: string, documentationUri: string): ScimResource {
  return {
    schemas: [urns.serviceProviderConfig],
    documentationUri,
    patch: { supported: true },
    bulk: { supported: true, maxOperations: limits.bulkOperations, maxPayloadSize: limits.bulkPayloadBytes },
    filter: { supported: true, maxResults: limits.pageSize },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: false },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: limits.pageSize,
      maxPageSize: limits.pageSize,
    },
    authenticationSchemes: [
      {
        name: 'OAuth Bearer Token',
        description: 'An OAuth 2.0 access token or a personal access token of a service user',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        documentationUri,
        type: 'oauthbearertoken',
        primary: false,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}
