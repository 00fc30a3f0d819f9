import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet. It takes the notations that `isIP` of Node.js takes, without a zone.
 * No address of the registries of IANA for special purposes is public (RFC 6890), and no IPv6 address that stands for an IPv4
 * address elsewhere: IPv4-compatible, IPv4-translated, NAT64, 6to4, Teredo, ISATAP. A mapped IPv4 address counts as that address.
 *
 * A network of an operator may have a NAT64 prefix of its own (RFC 6052). Such an address looks like every other one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const found = ipaddr.process(address);
  if (found instanceof ipaddr.IPv4) return !isIn(found, specialBlocks4);
  return isIn(found, globalUnicast) && !isIn(found, specialBlocks6) && !isIsatap(found);
}

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and a host of a cloud. */
const specialBlocks4 = blocks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  // Azure gives a machine its settings and certificates here, under an address that is not in the registry.
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  // The registry calls this block, the next one and 192.175.48.0/24 globally reachable. They are anycast: the nearest host
  // answers, and that may be one of the operator's own network.
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

/** The only part of IPv6 of which IANA assigns unicast addresses of the internet (RFC 4291 section 2.4). */
const globalUnicast = blocks('2000::/3');

/** The blocks of https://www.iana.org/assignments/iana-ipv6-special-registry within 2000::/3. */
const specialBlocks6 = blocks(
  // Protocols of the IETF: Teredo, benchmarks, ORCHID, and anycast addresses of the nearest host.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
);

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

function blocks(...ranges: string[]): Block[] {
  return ranges.map((range) => ipaddr.parseCIDR(range));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly Block[]): boolean {
  return ranges.some((range) => address.match(range));
}

/** Whether the last 64 bits name an IPv4 address to which a tunnel leads (RFC 5214 section 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}
