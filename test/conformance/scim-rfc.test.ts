import t from 'tap';
import { openScim } from '../support/app/scim-app.js';
import { play } from './exchange.js';
import { ipsie } from './exchanges/ipsie.js';
import { rfc7643 } from './exchanges/rfc7643.js';
import { rfc7644 } from './exchanges/rfc7644.js';
import { rfc9865 } from './exchanges/rfc9865.js';

/** The rules of RFC 7643, RFC 7644, RFC 9865 and the IPSIE profile as a client can see them, section by section. */

const { tenant } = await openScim(t, { workers: true });

for (const conversation of [...rfc7643, ...rfc7644, ...rfc9865, ...ipsie]) {
  t.test(conversation.name, async (t) => play(t, await tenant(), conversation));
}
