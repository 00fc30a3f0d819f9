import fc from 'fast-check';
import t from 'tap';
import { ScanError } from '#src/migration/import/receive/scan/scan-handler.js';
import { ImportScanner } from '#src/migration/import/receive/scan/scan-import.js';

/** The records of a text in pieces of these sizes, in turn. */
function records(text: Buffer, sizes: readonly number[]): string[] {
  const found: string[] = [];
  const scanner = new ImportScanner('body', {
    property: () => undefined,
    data: () => undefined,
    record: (_section, { start, end }) => found.push(text.toString('utf8', start, end)),
    unknownList: () => undefined,
    unknownValue: () => undefined,
    organization: () => undefined,
  });
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    scanner.push(text.subarray(at, at + size));
    at += size;
  }
  scanner.end();
  return found;
}

/** The same cases each time. */
const seed = 4;
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const spaces = fc.constantFrom(undefined, 1, '\t');

t.test('any records come out as they went in, however the text is cut', async (t) => {
  const property = fc.property(
    fc.array(fc.jsonValue(), { maxLength: 8 }),
    fc.jsonValue(),
    spaces,
    sizes,
    (users, other, space, cut) => {
      const orgs = [{ other, humanUsers: users, orgId: 'a', more: other }];
      const text = JSON.stringify({ timeout: '1s', dataOrgs: { other, orgs } }, undefined, space);
      const found = records(Buffer.from(text), cut).map((record) => JSON.parse(record));
      return JSON.stringify(found) === JSON.stringify(users);
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 400, seed }));
});

t.test('damage has the same outcome however the text is cut', async (t) => {
  const outcome = (text: Buffer, cut: readonly number[]): string => {
    try {
      return JSON.stringify(records(text, cut));
    } catch (error) {
      if (error instanceof ScanError) return 'refused';
      throw error;
    }
  };
  const property = fc.property(
    fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:\\ a0\n')), { minLength: 1, maxLength: 3 }),
    sizes,
    (users, damage, cut) => {
      const orgs = [{ orgId: 'a', humanUsers: users }];
      const text = Buffer.from(JSON.stringify({ timeout: '1s', dataOrgs: { orgs } }));
      for (const [at, character] of damage) text.write(character, at % text.length);
      return outcome(text, [text.length]) === outcome(text, cut);
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 600, seed }));
});
