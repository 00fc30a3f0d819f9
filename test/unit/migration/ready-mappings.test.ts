import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { conversion } from '../../support/migration/convert-file.js';
import { mappedExports } from '../../support/migration/mapped-exports.js';

const folder = 'docs/mappings';
const mappingOf = (name: string) => readFileSync(`${folder}/${name}.json`, 'utf8');

t.test('every mapping of the documentation has a sample, and the table names it', async (t) => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  t.same(files.sort(), Object.keys(mappedExports).sort());
  const table = readFileSync(`${folder}/README.md`, 'utf8');
  for (const name of files) t.ok(table.includes(`(${name}.json)`), name);
});

for (const [name, { origin, system, text, people, groups = [], lost }] of Object.entries(mappedExports)) {
  t.test(`${name}: ${origin}`, async (t) => {
    const options = { system, map: mappingOf(name), emailVerified: false };
    // A person of these systems has a hash only if the export has it. An address that the system does not call verified is trusted here.
    const trusted = await conversion(t, text, { ...options, emailVerified: true });
    t.same(
      trusted.told.filter((one) => !/which no record has/.test(one)),
      [],
    );
    t.equal(trusted.users, people.length);
    t.same(trusted.lost.map((path) => path.replace(/ \d+$/, '')).sort(), [...lost].sort());
    t.same(
      (trusted.org.groups ?? []).map(({ group }: { group: { displayName: string } }) => group.displayName),
      groups,
    );
    const own = await conversion(t, text, { ...options, skipInvalid: true, isDryRun: false }).catch(
      () => undefined,
    );
    for (const [place, wanted] of people.entries()) {
      const person = trusted.org.humanUsers[place];
      const { user = {} } = wanted as { user?: { email?: { isEmailVerified?: boolean } } };
      const isJudged = user.email?.isEmailVerified !== undefined;
      const judged = own?.org?.humanUsers.find(({ userId }: { userId: string }) => userId === person.userId);
      if (isJudged && judged !== undefined)
        t.match(judged, wanted, 'what the export itself says of addresses');
      else t.match(person, withoutVerified(wanted));
    }
  });
}

/** The wanted person, if everybody's address is trusted. */
function withoutVerified(wanted: unknown): object {
  if (Array.isArray(wanted)) return wanted.map(withoutVerified);
  if (typeof wanted !== 'object' || wanted === null || wanted instanceof RegExp) return wanted as object;
  const kept = Object.entries(wanted).filter(([name]) => name !== 'isEmailVerified' && name !== 'verified');
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutVerified(value)]));
}
