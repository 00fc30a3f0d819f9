/** The base of all SCIM addresses of an organization: `{base_url}/scim/v2/{orgId}`. */
export function scimBaseUrl(baseUrl: string, orgId: string): string {
  return `${baseUrl}/scim/v2/${encodeURIComponent(orgId)}`;
}
