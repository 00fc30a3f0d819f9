import t from 'tap';
import {
  newRecoveryCodes,
  recoveryCodeHash,
  recoveryCodeHashes,
} from '#src/authentication/second-factor/recovery-codes.js';
import { newTypedCode, readTypedCode } from '#src/authentication/typed-code.js';

t.test('codes are random, in groups, and of letters that people do not confuse', async (t) => {
  const codes = Array.from({ length: 500 }, () => newTypedCode(16));
  for (const code of codes) t.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  t.equal(new Set(codes).size, 500);
  const letters = new Set(codes.join('').replaceAll('-', ''));
  t.equal(letters.size, 32, 'every letter occurs');
  t.match(newTypedCode(8), /^.{4}-.{4}$/);
});

t.test('a code is read as people type it', async (t) => {
  const expected = '7KQ2M9XA01BCDEFG';
  for (const text of [
    '7KQ2-M9XA-01BC-DEFG',
    '7kq2m9xa01bcdefg',
    ' 7KQ2 M9XA  OiBC-DEFG ',
    '7KQ2-M9XA-olbc-defg',
  ])
    t.equal(readTypedCode(text, 16), expected, text);
  for (const text of [
    '',
    '7KQ2-M9XA-01BC-DEF',
    '7KQ2-M9XA-01BC-DEFGH',
    '7KQ2-M9XA-01BC-DEFU',
    'ä'.repeat(16),
  ])
    t.equal(readTypedCode(text, 16), undefined, text);
  t.equal(readTypedCode('-'.repeat(100_000), 16), undefined);
});

t.test('recovery codes: ten, and their hashes are of one user', async (t) => {
  const codes = newRecoveryCodes();
  t.equal(new Set(codes).size, 10);
  const [first = ''] = codes;
  const hash = recoveryCodeHash('anna', first);
  t.match(hash, /^[\w-]{43}$/);
  t.equal(recoveryCodeHash('anna', first.toLowerCase().replaceAll('-', ' ')), hash);
  t.not(recoveryCodeHash('bert', first), hash);
  t.equal(recoveryCodeHash('anna', '123456'), undefined, 'a one-time code is none');
  t.equal(new Set(recoveryCodeHashes('anna', codes)).size, 10);
});
