/** Hosts at which Microsoft Entra has an issuer for each of its tenants. */
const entraHosts = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.windows.net',
  'sts.windows.net',
]);

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the host is one of Microsoft Entra. @param host in lower case */
export function isEntraHost(host: string): boolean {
  return entraHosts.has(host);
}

/**
 * The tenant that an issuer of Entra names. Private accounts are one tenant, too. Every ID token of it must have it as `tid`. Undefined for another issuer, and for one that
 * stands for several tenants, such as `common`.
 */
export function entraTenantOf(issuer: string): string | undefined {
  const { hostname, pathname } = new URL(issuer);
  const [, tenant = ''] = pathname.split('/');
  const isTenant = isEntraHost(hostname) && uuid.test(tenant);
  return isTenant ? tenant : undefined;
}
