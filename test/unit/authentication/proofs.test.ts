import t from 'tap';
import { credentialsStamp } from '#src/accounts/credentials-stamp.js';
import {
  ageTime,
  joinProofs,
  type Proof,
  proofsOfMethods,
  provedSince,
  type TimedProof,
} from '#src/authentication/proofs/proof.js';
import { acrOf, amrOf, levelOf } from '#src/authentication/proofs/strength.js';
import { type Acr, acrValues, includesAcr } from '#src/directory/acr.js';

const password: Proof = { kind: 'password' };
const code: Proof = { kind: 'code' };
const passkey = (userVerified: boolean, isSynced = false): Proof => ({
  kind: 'passkey',
  credentialId: 'k',
  userVerified,
  isSynced,
});
const connection = (strength: '1' | '2'): Proof => ({
  kind: 'connection',
  connectionId: 'c',
  strength,
  begun: 0,
});

t.test('amr and acr follow from the proofs', async (t) => {
  const rows: [proofs: Proof[], amr: string[], level: Acr][] = [
    [[], [], '1'],
    [[password], ['pwd'], '1'],
    [[password, code], ['pwd', 'otp', 'mfa'], '2'],
    [[{ kind: 'recoveryCode' }, password], ['pwd', 'otp', 'mfa'], '2'],
    [[code, { kind: 'recoveryCode' }], ['otp'], '1'],
    [[password, { kind: 'rememberedBrowser', credentialId: 'r', by: 'code', provedAt: 0 }], ['pwd'], '1'],
    [[passkey(true)], ['hwk', 'user', 'pop', 'mfa'], 'phr'],
    [[passkey(true, true)], ['swk', 'user', 'pop', 'mfa'], 'phr'],
    [[passkey(false)], ['hwk', 'user', 'pop'], '1'],
    [[password, passkey(false, true)], ['pwd', 'swk', 'user', 'pop', 'mfa'], 'phr'],
    [[connection('1')], ['fed'], '1'],
    [[connection('2')], ['fed', 'mfa'], '2'],
    [[{ kind: 'mailLink' }], ['otp'], '1'],
    [[{ kind: 'oneTimeLink' }], ['otp'], '1'],
    [[{ kind: 'oneTimeLink' }, passkey(false)], ['otp', 'hwk', 'user', 'pop', 'mfa'], 'phr'],
    // Anybody may send the form of a registration.
    [[{ kind: 'oneTimeLink', begunBy: 'registration' }], [], '1'],
    [[{ kind: 'oneTimeLink', begunBy: 'registration' }, passkey(false)], ['hwk', 'user', 'pop'], '1'],
    [[{ kind: 'oneTimeLink', begunBy: 'registration' }, code], ['otp'], '1'],
    [[password, { kind: 'mailCode' }], ['pwd', 'otp'], '1'],
    [[{ kind: 'mailLink' }, code], ['otp', 'mfa'], '2'],
  ];
  for (const [proofs, amr, level] of rows) {
    t.same(amrOf(proofs), amr, JSON.stringify(proofs));
    t.equal(levelOf(proofs), level, JSON.stringify(proofs));
    for (const asked of acrValues)
      t.equal(
        acrOf(amr, [asked]) === asked,
        includesAcr(level, asked),
        'tokens that keep amr tell the same level',
      );
  }
});

t.test('a client sees phr only if it asked for it', async (t) => {
  const strong = amrOf([passkey(true)]);
  t.equal(acrOf(strong), '2');
  t.equal(acrOf(strong, ['phr']), 'phr');
  t.equal(acrOf(strong, ['1', '2']), '2');
  t.equal(acrOf(strong, ['1']), '1');
  t.equal(acrOf(strong, ['gold']), '2');
  t.equal(acrOf(['pwd'], ['phr', '2']), '1', 'never more than there was');
});

t.test('sessions of earlier versions have proofs', async (t) => {
  const time = 1000;
  t.same(proofsOfMethods(['pwd'], time), [{ kind: 'password', time }]);
  t.same(proofsOfMethods(['pwd', 'otp', 'mfa'], time), [
    { kind: 'password', time },
    { kind: 'code', time },
  ]);
});

t.test('proofs of a session count from a time on, and newer ones replace them', async (t) => {
  const earlier: TimedProof[] = [
    { kind: 'password', time: 1 },
    { kind: 'code', time: 5 },
    { kind: 'passkey', credentialId: 'a', userVerified: true, isSynced: true, time: 6 },
  ];
  t.same(provedSince(earlier, undefined), earlier);
  t.same(provedSince(earlier, 5), earlier.slice(1));
  t.same(provedSince(earlier, 7), []);
  t.same(joinProofs(earlier, [password]), [...earlier.slice(1), password]);
  const other: Proof = { kind: 'passkey', credentialId: 'b', userVerified: true, isSynced: true };
  t.same(joinProofs(earlier, [other]), [...earlier, other], 'another passkey is another credential');
  t.same(joinProofs([], [password, code]), [password, code]);
});

t.test('a remembered browser is as old as its second factor, and a new one replaces it', async (t) => {
  const browser = { kind: 'rememberedBrowser', credentialId: 'r', by: 'code', provedAt: 2 } as const;
  const earlier: TimedProof[] = [
    { kind: 'password', time: 9 },
    { ...browser, time: 9 },
  ];
  t.same(earlier.map(ageTime), [9, 2]);
  t.same(provedSince(earlier, 3), earlier.slice(0, 1));
  t.same(joinProofs(earlier, [code]), [earlier[0], code]);
  t.same(joinProofs([], [password, browser, code]), [password, code]);
  t.same(joinProofs(earlier, [password]), [earlier[1], password]);
});

t.test('the stamp changes with every credential', async (t) => {
  const at = (second: number) => new Date(second * 1000);
  const hash = 'h';
  const totp = (second: number) => ({ sealed: '', lastStep: 0, enrolled: at(second), recovery: [] });
  const stamps = [
    credentialsStamp({}),
    credentialsStamp({ password: { hash, changed: at(1) } }),
    credentialsStamp({ password: { hash, changed: at(2) } }),
    credentialsStamp({ password: { hash, changed: at(1) }, totp: totp(1) }),
    credentialsStamp({ password: { hash, changed: at(1) }, totp: totp(2) }),
    credentialsStamp({ totp: totp(1) }),
    credentialsStamp({ passkeys: { count: 1, changed: at(1) } }),
    credentialsStamp({ passkeys: { count: 1, changed: at(2) } }),
  ];
  t.equal(new Set(stamps).size, stamps.length);
  t.equal(
    credentialsStamp({ password: { hash: 'rehashed', changed: at(1) } }),
    credentialsStamp({ password: { hash, changed: at(1) } }),
    'a better hash of the same password is the same credential',
  );
});
