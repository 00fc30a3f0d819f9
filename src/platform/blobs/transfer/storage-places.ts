/** The providers whose hosts everybody can reach. */
export type StorageProvider = 'amazon' | 'google' | 'microsoft';

/** A bucket of Amazon or Google, or an account of Microsoft. Its provider knows it by this name, whichever of its hosts is asked. */
export interface StoragePlace {
  readonly provider: StorageProvider;
  /** Undefined if a host does not say which one it is. */
  readonly name: string | undefined;
}

/** The hosts of each provider, and the forms in which a host has the name of a bucket or an account. */
const forms: readonly {
  readonly provider: StorageProvider;
  readonly hosts: RegExp;
  readonly named: RegExp[];
}[] = [
  {
    provider: 'amazon',
    hosts: /(?:^|\.)amazonaws\.com(?:\.cn)?$/,
    named: [
      // With -fips, -accelerate, and the former hosts of regions. An access point has another name than its bucket.
      /^(.+)\.s3(?!-(?:accesspoint|object-lambda|outposts))(?:-[a-z0-9-]{1,40})?(?:\.dualstack)?(?:\.[a-z]{2}-[a-z0-9-]{1,30})?\.amazonaws\.com(?:\.cn)?$/,
      /^(.+)\.bucket\.vpce-[a-z0-9-]{1,60}\.s3\.[a-z0-9-]{1,30}\.vpce\.amazonaws\.com(?:\.cn)?$/,
    ],
  },
  {
    provider: 'google',
    hosts: /(?:^|\.)googleapis\.com$/,
    named: [/^(.+)\.(?:commondata)?storage(?:-download)?(?:\.[a-z0-9-]{1,30}\.rep)?\.googleapis\.com$/],
  },
  {
    provider: 'microsoft',
    hosts:
      /(?:^|\.)(?:core\.windows\.net|core\.chinacloudapi\.cn|core\.usgovcloudapi\.net|storage\.azure\.net)$/,
    // Such as acme-secondary.blob.core.windows.net and acme.privatelink.blob.core.windows.net.
    named: [
      /^([a-z0-9]{3,24})(?:-[a-z]{1,30})?(?:\.[a-z0-9]{1,30}){1,2}\.(?:core\.[a-z]{1,20}|storage\.azure)\.[a-z]{2,3}$/,
    ],
  },
];

/** Names of access points, which lead to a bucket of another name, also to one of somebody else. */
const alias = /(?:-s3alias|--[a-z]{1,10}-s3|\.mrap)$/;

/** The place that a host of a provider leads to. Undefined for a host of somebody else. */
export function placeOfHost(host: string): StoragePlace | undefined {
  const form = forms.find(({ hosts }) => hosts.test(host));
  if (form === undefined) return undefined;
  const name = form.named.map((pattern) => pattern.exec(host)?.[1]).find((found) => found !== undefined);
  return { provider: form.provider, name };
}

/**
 * The places of the operator: those that a list of hosts names. A listed host that does not say its bucket may lead to each of the provider.
 * @param hostnames without ports
 * @returns whether a place is one of them
 */
export function placesOf(hostnames: Iterable<string>): (place: StoragePlace) => boolean {
  const whole = new Set<StorageProvider>();
  const named = new Set<string>();
  const listed = new Set<StorageProvider>();
  for (const hostname of hostnames) {
    const host = hostname.replace(/\.$/, '');
    const place = placeOfHost(host);
    if (place === undefined) {
      // A bucket that has a domain of its own is named as the domain.
      for (const provider of ['amazon', 'google']) named.add(`${provider} ${host}`);
      continue;
    }
    listed.add(place.provider);
    if (place.name === undefined) whole.add(place.provider);
    else named.add(`${place.provider} ${place.name}`);
  }
  return ({ provider, name }) =>
    whole.has(provider) ||
    (listed.has(provider) && (name === undefined || (provider === 'amazon' && alias.test(name)))) ||
    named.has(`${provider} ${name}`);
}
