import { randomBytes } from 'node:crypto';
import t from 'tap';
import { encode } from 'uqr';
import {
  matchingStep,
  newTotpSecret,
  sealTotpSecret,
  toBase32,
  totpAddress,
  totpCode,
  totpStep,
  unsealTotpSecret,
} from '#src/accounts/totp.js';
import { createSealer } from '#src/keys/sealer.js';

const rfcSecret = Buffer.from('12345678901234567890');

t.test('the codes of RFC 6238 appendix B', async (t) => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ];
  for (const [seconds, code] of vectors) {
    const step = totpStep(new Date(seconds * 1000));
    t.equal(totpCode(rfcSecret, step, 8), code, `${seconds} s`);
    t.equal(totpCode(rfcSecret, step), code.slice(2), `${seconds} s, six digits`);
  }
});

t.test('the codes of RFC 4226 appendix D', async (t) => {
  const codes = [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ];
  for (const [counter, code] of codes.entries()) t.equal(totpCode(rfcSecret, counter), code);
});

t.test('a code is taken one step early or late, and no more', async (t) => {
  const now = new Date(1_700_000_010_000);
  const step = totpStep(now);
  for (const offset of [-1, 0, 1]) {
    t.equal(matchingStep(rfcSecret, totpCode(rfcSecret, step + offset), now), step + offset);
  }
  for (const offset of [-2, 2]) {
    t.equal(matchingStep(rfcSecret, totpCode(rfcSecret, step + offset), now), undefined);
  }
  const code = totpCode(rfcSecret, step);
  t.equal(matchingStep(rfcSecret, `${code.slice(0, 3)} ${code.slice(3)}`, now), step, 'spaces do not matter');
  for (const wrong of ['', '1', `${code}0`, 'abcdef', code.slice(1), '１２３４５６']) {
    t.equal(matchingStep(rfcSecret, wrong, now), undefined, JSON.stringify(wrong));
  }
});

t.test('base32 as in RFC 4648 section 10, without padding', async (t) => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  };
  for (const [text, encoded] of Object.entries(vectors)) t.equal(toBase32(Buffer.from(text)), encoded);
});

t.test('the address that apps read escapes hostile names', async (t) => {
  const address = new URL(totpAddress(rfcSecret, { issuer: 'A&B: c', account: 'x?secret=1#y@z' }));
  t.equal(address.searchParams.get('secret'), toBase32(rfcSecret));
  t.equal(address.searchParams.get('issuer'), 'A&B: c');
  t.equal(decodeURIComponent(address.pathname), '/A&B  c:x?secret=1#y@z');
});

t.test('a QR code holds the longest names, cut between two signs', async (t) => {
  for (const sign of ['x', 'ж', '😀', '👩‍👩‍👧‍👦']) {
    const long = sign.repeat(200);
    const address = totpAddress(rfcSecret, { issuer: long, account: long });
    t.ok(address.length < 700, `${address.length} characters`);
    t.ok(encode(address, { ecc: 'M' }).size > 0);
    const { pathname } = new URL(address);
    const names = decodeURIComponent(pathname).replace(/^\//, '').split(':');
    for (const name of names) t.equal(name, sign.repeat(name.length / sign.length));
  }
});

t.test('a sealed secret is of one user and one master key', async (t) => {
  const sealer = createSealer([{ id: 'k1', key: randomBytes(32) }], 'totp');
  const other = createSealer([{ id: 'k1', key: randomBytes(32) }], 'totp');
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(sealer, 'anna', secret);
  t.same(unsealTotpSecret(sealer, 'anna', sealed), secret);
  t.equal(unsealTotpSecret(sealer, 'bert', sealed), undefined);
  t.equal(unsealTotpSecret(other, 'anna', sealed), undefined);
  t.equal(unsealTotpSecret(sealer, 'anna', 'x'), undefined);
});
