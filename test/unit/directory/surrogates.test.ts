import t from 'tap';
import { requireRole } from '#src/access/projects/project-rules.js';
import { requireEmail } from '#src/directory/value-rules.js';
import { requireMetadata } from '#src/people/metadata/user-metadata.js';
import { errorIdOf } from '../../support/thrown.js';

t.test('half of a surrogate pair, which UTF-8 cannot store, is refused in names and keys', async (t) => {
  const checks = {
    'key of a role': (text: string) => requireRole({ key: text }),
    'key of metadata': (text: string) => requireMetadata({ key: text, value: '' }),
    'local part of an address': (text: string) => requireEmail(`${text}@example.com`),
  };
  for (const [name, check] of Object.entries(checks)) {
    for (const text of ['\ud800', 'a\udc00', '\udc00\ud800']) {
      t.equal(await errorIdOf(() => check(text)), 'directory.valueInvalid', name);
    }
    t.equal(await errorIdOf(() => check('\ud83d\ude00')), undefined, `${name}: a whole pair is a character`);
  }
});
