import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createProgram } from '#src/cli/program.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { firebaseExport, firebaseParameters } from '../../support/migration/exports.js';

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
    // An export of ZITADEL names its organizations.
    const org = words[0] === 'zitadel' ? [] : ['--org', '1'];
    const files = [...org, '--output', at('converted.json')];
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

const bcrypt = '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa';
const address = { email: 'ada@example.com', email_verified: true };

/** Exports of one person with a value that reaches nothing: the words of the command, and the path of the value. */
const lossy: Record<string, { files: Record<string, unknown>; words: string[]; path: string }> = {
  auth0: {
    files: {
      'auth0-users': { user_id: 'auth0|1', ...address, shoeSize: 43 },
      'auth0-hashes': { _id: { $oid: '1' }, email: address.email, passwordHash: bcrypt },
    },
    words: ['--users', at('auth0-users'), '--passwords', at('auth0-hashes')],
    path: 'shoeSize',
  },
  keycloak: {
    files: {
      realm: {
        realm: 'shop',
        users: [{ username: 'ada', email: address.email, emailVerified: true, shoeSize: 43 }],
      },
    },
    words: ['--realm', at('realm')],
    path: 'shoeSize',
  },
  zitadel: {
    files: {
      zitadel: {
        orgs: [
          {
            orgId: '1',
            org: { name: 'Acme' },
            humanUsers: [
              {
                userId: '11',
                user: {
                  userName: 'ada',
                  profile: { firstName: 'Ada', lastName: 'Lind' },
                  email: { email: address.email, isEmailVerified: true },
                  shoeSize: 43,
                },
              },
            ],
          },
        ],
      },
    },
    words: ['--export', at('zitadel')],
    path: 'user.shoeSize',
  },
  okta: {
    files: {
      okta: [{ id: '1', status: 'ACTIVE', profile: { login: 'ada', email: address.email, shoeSize: 43 } }],
    },
    words: ['--users', at('okta'), '--email-verified'],
    path: 'profile.shoeSize',
  },
};

for (const [system, { files, words, path }] of Object.entries(lossy)) {
  t.test(`muster convert ${system} takes --strict, --map and --explain`, async (t) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(at(name), JSON.stringify(content));
    const output = at('converted.json');
    const run = async (...more: string[]) => {
      rmSync(output, { force: true });
      const told = await convert(system, ...words, ...more);
      return { ...told, written: existsSync(output) ? readFileSync(output, 'utf8') : undefined };
    };
    const mapping = (name: string, content: string) => {
      writeFileSync(at(name), content);
      return ['--map', at(name)];
    };

    const plain = await run();
    t.equal(plain.code, 0, plain.text);
    t.ok(plain.written);
    const [file = ''] = Object.keys(files);
    t.match(plain.text, new RegExp(`left out: .*${path} of 1 records, first at ${at(file)}:1$`, 'm'));

    const strict = await run('--strict');
    t.match(strict, { code: 1, written: undefined });
    const accepted = /^\{"acceptedLosses":.*$/m.exec(strict.text)?.[0] ?? '';
    t.ok(accepted.includes('shoeSize'), strict.text);
    const tolerant = await run('--strict', ...mapping('accepted', accepted));
    t.equal(tolerant.code, 0, tolerant.text);
    t.equal(tolerant.written, plain.written, 'what is accepted is the same without --strict');

    const kept = await run(...mapping('kept', JSON.stringify({ attributes: [{ from: path, to: 'title' }] })));
    t.match(kept.written, '"title":"43"');
    t.notMatch(kept.text, 'shoeSize');

    const explained = await run('--explain');
    t.match(explained, { code: 0, written: undefined });
    t.match(explained.text, /:\d+ before:\n.*"shoeSize": 43.*\nafter:\n.*"ada@example\.com"/s);
    t.notMatch(explained.text, bcrypt);
  });
}

t.test('muster convert takes --delimiter and --hash-parameters', async (t) => {
  writeFileSync(at('table'), `userName|passwordHash\nada|${bcrypt}\n`);
  const table = await convert('csv', '--users', at('table'), '--delimiter', '|');
  t.match(table, { code: 0, text: /1 users, 1 with a password/ });
  t.match(await convert('csv', '--users', at('table'), '--delimiter', '||'), {
    code: 1,
    text: /one character/,
  });
  writeFileSync(at('firebase'), JSON.stringify(firebaseExport));
  writeFileSync(at('parameters'), firebaseParameters);
  const words = ['firebase', '--users', at('firebase')];
  t.match(await convert(...words, '--hash-parameters', at('parameters')), {
    code: 0,
    text: /2 users, 1 with a password/,
  });
  t.match(await convert(...words), { code: 1 }, 'without them the hash cannot be read');
});

t.test('without a mapping the columns are told, and the guess is saved on request', async (t) => {
  const hash = `$2b$10$${'.'.repeat(53)}`;
  writeFileSync(at('leute'), `Benutzername;Passwort;Schuhe\nmona;${hash};42\n`);
  const guessed = await convert('csv', '--users', at('leute'), '--save-map', at('map.json'));
  t.equal(guessed.code, 0);
  t.match(guessed.text, /"Benutzername": userName\n {2}"Passwort": passwordHash\n {2}"Schuhe": left out/);
  t.notMatch(guessed.text, hash);
  const saved = readFileSync(at('map.json'), 'utf8');
  t.match(JSON.parse(saved).attributes, [{ from: 'Benutzername', to: 'userName' }, { to: 'passwordHash' }]);
  const again = await convert('csv', '--users', at('leute'), '--map', at('map.json'));
  t.equal(again.code, 0);
  t.notMatch(again.text, /Benutzername/, 'a mapping that is given is not told');
  t.match(await convert('csv', '--users', at('leute'), '--save-map', at('map.json')), {
    code: 1,
    text: /map\.json exists/,
  });
  t.match(await convert('csv', '--users', at('leute'), '--map', at('map.json'), '--save-map', at('x')), {
    code: 1,
    text: /--save-map writes a guessed mapping/,
  });
  t.equal(readFileSync(at('map.json'), 'utf8'), saved);

  const odd = { '\u001b[2Jmail': 'a@json.example', hash, deep: { 'x\ny': 1 } };
  writeFileSync(at('people.json'), JSON.stringify({ page: { people: [odd] } }));
  const json = await convert('json', '--users', at('people.json'), '--at', 'page.people');
  t.equal(json.code, 0);
  t.notMatch(json.text, '\u001b', 'a name of a column is no command of the terminal');
  writeFileSync(at('none.json'), JSON.stringify([{ shoe: 1 }, { shoe: 2 }]));
  const none = await convert(
    'json',
    '--users',
    at('none.json'),
    '--skip-invalid',
    '--save-map',
    at('none.map'),
  );
  t.equal(none.code, 1);
  t.match(none.text, /nothing here looks like a user name or an address.*"shoe"/);
  t.ok(existsSync(at('none.map')), 'the mapping to correct is there');
});
