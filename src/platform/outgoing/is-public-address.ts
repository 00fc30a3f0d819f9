import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet. Loopback, private, link-local, shared, multicast and reserved addresses
 * do not (RFC 6890), nor do IPv6 addresses that stand for an IPv4 address elsewhere (NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}
