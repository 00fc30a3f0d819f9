import t from 'tap';
import { isPublicAddress } from '#src/platform/outgoing/is-public-address.js';

t.test('public addresses', async (t) => {
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])
    t.equal(isPublicAddress(address), true, address);
});

t.test('addresses that are not for strangers', async (t) => {
  const addresses = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '240.0.0.1', '192.0.2.1', '198.18.0.1', '192.0.0.1'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001:db8::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
    ],
    ...['64:ff9b::a00:1', '2002:a00:1::', '2001:0:4136:e378::', 'fe80::1%eth0'],
    ...['', 'localhost', '127.1', '0x7f000001', '2130706433'],
  ];
  for (const address of addresses) t.equal(isPublicAddress(address), false, address);
});
