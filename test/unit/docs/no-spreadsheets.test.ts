import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { repository } from '../../../dev/repository.js';

/**
 * A cell of a table that begins with `=`, `+`, `-`, `@`, a tab or a line break is a formula for a spreadsheet (OWASP, CSV injection). Muster
 * reads tables of other systems and writes none, so no name that somebody chose becomes a formula. Whoever adds a table must escape such
 * cells, and replaces this test with one of hostile cells.
 */

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const table = /csv|tab-separated|tsv|excel|spreadsheet|opendocument/i;

t.test('no response of the API is a table', async (t) => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>;
  };
  const types = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.keys(content));
  t.same([...new Set(types)].sort(), [
    'application/json',
    'application/scim+json',
    'application/x-ndjson',
    'text/html',
  ]);
});

t.test('no program of the service writes a table, not by a library either', async (t) => {
  const files = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  );
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => [file, read(file)] as const);
  t.ok(sources.length > 500);
  for (const [file, text] of sources) {
    const types = text.match(/['"`](?:text|application)\/[\w.+-]+/g) ?? [];
    t.same(
      types.filter((type) => table.test(type)),
      [],
      `${file}: media types`,
    );
    const names = text.match(/filename[^\n]*/gi) ?? [];
    t.same(
      names.filter((name) => table.test(name)),
      [],
      `${file}: names of downloads`,
    );
  }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const shipped = Object.entries(packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path]) => path.split('node_modules/').at(-1) ?? '');
  t.same(
    shipped.filter((name) => table.test(name)),
    ['csv-parse'],
    'a library that reads',
  );
});
