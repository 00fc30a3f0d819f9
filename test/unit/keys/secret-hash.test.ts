import t from 'tap';
import { hashSecret, matchesSecretHash } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';

t.test('a secret matches its own hash alone', async (t) => {
  const secret = newSecret();
  const hash = hashSecret(secret);
  t.ok(matchesSecretHash(secret, hash));
  for (const other of ['', `${secret} `, secret.slice(1), secret.toLowerCase(), newSecret(), hash]) {
    t.notOk(matchesSecretHash(other, hash));
  }
  for (const broken of ['', 'x', hash.slice(0, -1), `${hash}AA`, '\u0000']) {
    t.notOk(matchesSecretHash(secret, broken));
  }
});

t.test('the hash is the SHA-256 that everybody else computes', async (t) => {
  t.equal(hashSecret('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

t.test('secrets have 256 bits and are safe in addresses', async (t) => {
  const secrets = Array.from({ length: 100 }, newSecret);
  t.equal(new Set(secrets).size, 100);
  for (const secret of secrets) t.match(secret, /^[A-Za-z0-9_-]{43}$/);
});
