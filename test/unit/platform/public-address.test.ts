import t from 'tap';
import { isPublicAddress } from '#src/platform/outgoing/is-public-address.js';
import { requirePublicHost } from '#src/platform/outgoing/look-up-public.js';

/** One address of each public kind. */
const publicAddresses = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '168.63.129.15',
    '168.63.129.17',
  ],
  ...[
    '172.15.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '192.0.3.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
  ],
  ...[
    '2606:4700::1111',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2a00::1',
    '2003::1',
    '2620:4f:8001::1',
    '3ffe::1',
  ],
  ...['::ffff:8.8.8.8', '::ffff:808:808'],
];

/** The two special-purpose registries of IANA (RFC 6890), as of October 2025: the first and the last address of each block. */
const registries: Readonly<Record<string, readonly [string, string]>> = {
  '0.0.0.0/8': ['0.0.0.0', '0.255.255.255'],
  '10.0.0.0/8': ['10.0.0.0', '10.255.255.255'],
  '100.64.0.0/10': ['100.64.0.0', '100.127.255.255'],
  '127.0.0.0/8': ['127.0.0.0', '127.255.255.255'],
  '169.254.0.0/16': ['169.254.0.0', '169.254.255.255'],
  '172.16.0.0/12': ['172.16.0.0', '172.31.255.255'],
  '192.0.0.0/24': ['192.0.0.0', '192.0.0.255'],
  '192.0.0.0/29': ['192.0.0.0', '192.0.0.7'],
  '192.0.0.8/32, 192.0.0.9/32': ['192.0.0.8', '192.0.0.9'],
  '192.0.0.10/32, 192.0.0.170/32, 192.0.0.171/32': ['192.0.0.10', '192.0.0.171'],
  '192.0.2.0/24': ['192.0.2.0', '192.0.2.255'],
  '192.31.196.0/24': ['192.31.196.0', '192.31.196.255'],
  '192.52.193.0/24': ['192.52.193.0', '192.52.193.255'],
  '192.88.99.0/24': ['192.88.99.0', '192.88.99.255'],
  '192.168.0.0/16': ['192.168.0.0', '192.168.255.255'],
  '192.175.48.0/24': ['192.175.48.0', '192.175.48.255'],
  '198.18.0.0/15': ['198.18.0.0', '198.19.255.255'],
  '198.51.100.0/24': ['198.51.100.0', '198.51.100.255'],
  '203.0.113.0/24': ['203.0.113.0', '203.0.113.255'],
  '224.0.0.0/4 (multicast)': ['224.0.0.0', '239.255.255.255'],
  '240.0.0.0/4, 255.255.255.255/32': ['240.0.0.0', '255.255.255.255'],
  '::/128, ::1/128': ['::', '::1'],
  '::/96 (IPv4-compatible)': ['::2', '::ffff:ffff'],
  '::ffff:0:0:0/96 (IPv4-translated, RFC 2765)': ['::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  '64:ff9b::/96': ['64:ff9b::', '64:ff9b::ffff:ffff'],
  '64:ff9b:1::/48': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  '100::/64': ['100::', '100::ffff:ffff:ffff:ffff'],
  '100:0:0:1::/64': ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  '2001::/23': ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001::/32 (Teredo)': ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:1::1/128, 2001:1::2/128, 2001:1::3/128': ['2001:1::1', '2001:1::3'],
  '2001:2::/48': ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  '2001:3::/32': ['2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:4:112::/48': ['2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  '2001:10::/28': ['2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:20::/28': ['2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:30::/28': ['2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2001:db8::/32': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2002::/16': ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '2620:4f:8000::/48': ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  '3fff::/20': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '5f00::/16': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fc00::/7': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fe80::/10': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'fec0::/10 (RFC 3879)': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'ff00::/8 (multicast)': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'nothing is assigned outside of 2000::/3 (RFC 4291)': ['200::1', '4000::1'],
};

/** Hosts that answer the machines of one cloud alone, some of them with credentials of the machine. */
const cloudHosts = {
  'Amazon, Google, Azure, Oracle, DigitalOcean': ['169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254'],
  'the name server and the credentials of containers of Amazon': [
    '169.254.169.253',
    '169.254.170.2',
    'fd00:ec2::23',
  ],
  'WireServer of Azure': ['168.63.129.16'],
  Alibaba: ['100.100.100.200'],
  'Tencent and Oracle Classic': ['169.254.0.23', '192.0.0.192'],
};

t.test('public addresses', async (t) => {
  for (const address of publicAddresses) t.equal(isPublicAddress(address), true, address);
});

t.test('no address of a special purpose is public', async (t) => {
  for (const [block, addresses] of Object.entries(registries))
    for (const address of addresses) t.equal(isPublicAddress(address), false, `${block}: ${address}`);
});

t.test('no host of a cloud for its own machines is public, in any notation', async (t) => {
  for (const [cloud, addresses] of Object.entries(cloudHosts))
    for (const address of addresses.flatMap(notationsOf))
      t.equal(isPublicAddress(address), false, `${cloud}: ${address}`);
});

t.test('what is no address is not public', async (t) => {
  const texts = [
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0x08080808',
    '8.8',
    '134744072',
    '010.8.8.8',
  ];
  for (const text of [...texts, '[2606:4700::1111]', 'fe80::1%eth0', '2606:4700::1111%eth0', ' 8.8.8.8'])
    t.equal(isPublicAddress(text), false, text);
});

t.test('a host that is a private address is refused in each notation that an address may have', async (t) => {
  const written = [
    ...[
      '127.0.0.1',
      '127.1',
      '0177.0.0.1',
      '0x7f.1',
      '2130706433',
      '127.0.0.1.',
      '%31%32%37.0.0.1',
      '１２７.0.0.1',
    ],
    ...[
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '0251.0376.0251.0376',
      '169.254.43518',
      '169.254.169.254.',
    ],
    ...['168.63.129.16', '0xa83f8110', '2822734096', '0250.077.0201.020'],
    ...[
      '[::127.0.0.1]',
      '[::7f00:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a9fe:a9fe]',
      '[0:0:0:0:0:ffff:169.254.169.254]',
    ],
    ...['[64:ff9b::169.254.169.254]', '[2002:a9fe:a9fe::1]', '[2001:0:4136:e378:8000:63bf:5601:5601]'],
    ...['[fd00:ec2::254]', '[FD00:0EC2:0000::254]', '[fd20:ce::254]', '[::ffff:0:169.254.169.254]', '[::]'],
  ];
  for (const host of written) {
    const { hostname } = new URL(`https://${host}/`);
    t.throws(
      () => requirePublicHost(hostname, new Set()),
      { name: 'OutgoingError', problem: 'privateAddress' },
      `${host}: ${hostname}`,
    );
  }
});

/** An address, and for IPv4 the addresses of IPv6 that lead to it: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
function notationsOf(address: string): string[] {
  if (address.includes(':')) return [address, address.toUpperCase()];
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':');
  const inverted = [a * 256 + b, c * 256 + d].map((part) => (part ^ 0xffff).toString(16)).join(':');
  return [
    ...[
      address,
      `::ffff:${address}`,
      `::ffff:${hex}`,
      `0:0:0:0:0:ffff:${address}`,
      `::${address}`,
      `::${hex}`,
    ],
    ...[`::ffff:0:${address}`, `64:ff9b::${address}`, `64:ff9b:1::${address}`, `2002:${hex}::1`],
    ...[`2001:0:4136:e378:8000:63bf:${inverted}`, `2a00:1::5efe:${hex}`, `2a00:1::200:5efe:${hex}`],
  ];
}
