import { readFile } from 'node:fs/promises';
import t from 'tap';
import { linesWithSecrets, secretsIn } from '../../../dev/stage/secret-formats.js';
import { hashExamples } from '../../support/keys/hash-examples.js';

t.test('every form of a password hash is found in a log', async (t) => {
  for (const { hash, stored = hash, source, isBare } of hashExamples) {
    // Nothing tells a bare digest from an identifier. It is stored in another form, if it has no salt.
    for (const text of isBare ? [stored].filter((one) => /^[${]/.test(one)) : [hash, stored]) {
      const line = JSON.stringify({ level: 30, msg: `imported ${text}` });
      t.match(secretsIn(line).join(), /hash of a password/, `${text.slice(0, 40)} (${source})`);
      t.match(secretsIn(JSON.stringify({ record: JSON.stringify({ value: text }) })).join(), /hash of/);
    }
  }
});

t.test('a line without a secret is none', async (t) => {
  const lines = [
    '{"level":30,"time":"2026-01-02T03:04:05.678Z","msg":"GET /scim/v2/0198c0de-0000-7000-8000-000000000001/Users"}',
    '{"msg":"The password hash is not in a form that is taken; docs/password-hashes.md has them all"}',
    '{"msg":"credentials[].secretData reaches nothing","count":3}',
    '{"msg":"import","path":"orgs[].humanUsers[].user.hashedPassword","algorithm":"pbkdf2-sha256"}',
    '{"msg":"AAAAAAAA is no hash, nor is AQAAAAEAACcQ"}',
    'sha1$ and md5$ are names of forms, and so is {SSHA}',
  ];
  for (const line of lines) t.same(linesWithSecrets(line), [], line);
});

t.test('each form of docs/password-hashes.md has an example', async (t) => {
  const text = await readFile('docs/password-hashes.md', 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  const forms = rows.flatMap((row) =>
    [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, form = '']) => form),
  );
  // Up to the first value: `$2a$`, `$sha256$pf=`, `{SSHA}`, `bcrypt_sha256$`.
  const heads = forms.flatMap((form) => /^(U?\$[\w-]+\$(pf=)?|\{[\w-]+\}|\w+\$)/.exec(form)?.[0] ?? []);
  t.ok(heads.length > 30, heads.join(' '));
  for (const head of new Set(heads)) {
    t.ok(
      hashExamples.some(({ hash }) => hash.startsWith(head)),
      head,
    );
  }
});
