import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createProgram } from '#src/cli/program.js';
import { createOutput } from '#src/cli/terminal/output.js';

const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

/** Runs `muster convert` in this process. @returns the exit code, and what a person reads */
async function convert(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) > 0 };
  const output = createOutput({ stdout: stream, stderr: stream }, false);
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    const files = ['--org', '1', '--output', at('converted.json')];
    await createProgram(output).parseAsync(['convert', ...words, ...files], { from: 'user' });
    return { code: Number(process.exitCode), text: lines.join('') };
  } catch (error) {
    return { code: 1, text: (error as Error).message };
  } finally {
    process.exitCode = before;
  }
}

t.test('a file that is none of what is converted is refused, and nothing is written', async (t) => {
  const files: Record<string, string | Buffer> = {
    empty: '',
    page: '<html><body>Sign in</body></html>',
    table: 'name,email\nanna,anna@example.com\n',
    bytes: Buffer.from(Array.from({ length: 2_000 }, (_, n) => (n * 37) % 256)),
    import: '{"timeout":"1m","dataOrgs":{"orgs":[{"orgId":"1","humanUsers":[]}]}}',
    list: '[]',
    numbers: '[1,2,3]',
    strangers: '[{"foo":1},{"foo":2}]',
    text: '"text"',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content);
  const good = { user_id: 'auth0|1', email: 'a@example.com', email_verified: true };
  writeFileSync(at('users'), JSON.stringify(good));
  const hash = { _id: { $oid: '1' }, email: good.email, passwordHash: `$2b$10$${'.'.repeat(53)}` };
  writeFileSync(at('hashes'), JSON.stringify(hash));
  const before = readdirSync(folder).sort();
  for (const name of Object.keys(files)) {
    const commands = [
      ['auth0', '--users', at(name), '--passwords', at('empty')],
      ['keycloak', '--realm', at(name)],
      ['okta', '--users', at(name)],
    ];
    for (const words of commands) {
      for (const more of [[], ['--skip-invalid']]) {
        const { code, text } = await convert(...words, ...more);
        t.equal(code, 1, `${words.join(' ')} ${more}`);
        t.notMatch(text, /0 users, 0 with/);
        t.ok(text);
      }
    }
  }
  const noHashes = await convert(
    'auth0',
    '--users',
    at('users'),
    '--passwords',
    at('page'),
    '--skip-invalid',
  );
  t.equal(noHashes.code, 1);
  t.match(noHashes.text, `${at('page')} has no hashes of Auth0`);
  t.same(readdirSync(folder).sort(), before);
  t.match(
    await convert('auth0', '--users', at('users'), '--passwords', at('hashes')),
    { code: 0 },
    'a good file is converted',
  );
});
