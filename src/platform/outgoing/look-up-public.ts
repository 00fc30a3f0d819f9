import { lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.js';
import { OutgoingError } from './outgoing-error.js';

interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** The time for one question to a name server, in milliseconds, and how often it is asked. */
const resolverLimits = { timeout: 1_500, tries: 2 };

/**
 * Returns the look-up of names for a connection. The connection goes to the addresses that were checked, so a name that changes
 * its address between a check and the connection gains nothing. A name with one private address is refused.
 *
 * `lookup` of Node.js occupies one of four threads while it waits, and password hashes need them. A stranger's slow name server
 * must not hold them, so names are resolved with c-ares.
 * @param privateHosts hosts that may have private addresses, in lower case. They are found as the machine finds them
 * @param ask returns all addresses of a name, or none. Its error is that of the connection
 */
export function lookUpPublic(
  privateHosts: ReadonlySet<string>,
  ask: (hostname: string) => Promise<FoundAddress[]> = askNameServers,
): LookupFunction {
  return (hostname, options, callback) => {
    if (privateHosts.has(hostname.toLowerCase())) {
      lookup(hostname, options, callback);
      return;
    }
    ask(hostname)
      .then(requirePublic)
      .then(
        ([first, ...more]) => {
          if (options.all) callback(null, [first, ...more]);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
  };
}

/**
 * Checks a host that is an IP address. Such a host is never looked up.
 * @throws OutgoingError `privateAddress`
 */
export function requirePublicHost(host: string, privateHosts: ReadonlySet<string>): void {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !privateHosts.has(host) && !isPublicAddress(address)) throw isPrivate();
}

/** @throws OutgoingError `unknownHost`, or `privateAddress` if one of the addresses is private */
function requirePublic([first, ...more]: FoundAddress[]): [FoundAddress, ...FoundAddress[]] {
  if (first === undefined) throw new OutgoingError('unknownHost', 'The host has no address');
  if (![first, ...more].every(({ address }) => isPublicAddress(address))) throw isPrivate();
  return [first, ...more];
}

/** Codes of c-ares with which a name server says that a name, or an address of the family, does not exist. */
const noAddressCodes = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks name servers with c-ares.
 * @param resolver asks another server in tests
 * @returns no address if the name servers say that there is none
 * @throws OutgoingError `unresolvedHost` if no address was found and a name server failed or did not answer in time
 */
export async function askNameServers(
  hostname: string,
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = new Resolver(resolverLimits),
): Promise<FoundAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = (result: PromiseSettledResult<string[]>, family: number) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  const addresses = [...found(four, 4), ...found(six, 6)];
  const hasFailed = [four, six].some(
    (result) => result.status === 'rejected' && !noAddressCodes.has(result.reason?.code),
  );
  if (addresses.length === 0 && hasFailed)
    throw new OutgoingError('unresolvedHost', 'No name server tells the address of the host');
  return addresses;
}

function isPrivate(): OutgoingError {
  return new OutgoingError('privateAddress', 'The host has a private address');
}
