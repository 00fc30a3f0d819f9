import t from 'tap';
import { matchesSecretHash } from '#src/keys/secret-hash.js';
import { newId } from '#src/platform/ids.js';
import { newPersonalAccessToken, parsePersonalAccessToken } from '#src/tokens/personal-access-token.js';

t.test('a token is taken apart into what finds it and what proves it', async (t) => {
  const id = newId();
  const { token, hash } = newPersonalAccessToken(id);
  const parsed = parsePersonalAccessToken(token);
  t.equal(parsed?.id, id);
  t.ok(matchesSecretHash(parsed?.secret ?? '', hash));
  t.notOk(token.includes(hash));
  t.not(newPersonalAccessToken(id).token, token);
});

t.test('other texts are no personal access tokens', async (t) => {
  const { token } = newPersonalAccessToken(newId());
  const others = [
    '',
    'mpat_',
    'mpat_.',
    'mpat_id.',
    'mpat_.secret',
    'mpat_idsecret',
    token.slice(1),
    token.toUpperCase(),
    ` ${token}`,
    `${token}${'x'.repeat(200)}`,
  ];
  for (const text of others) t.equal(parsePersonalAccessToken(text), undefined, text.slice(0, 60));
});
