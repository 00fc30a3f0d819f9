import t from 'tap';
import { circleViolations, folderCircleViolations } from '../../../dev/dependencies/circles.js';
import { directionViolations, indexViolations, unusedDoors } from '../../../dev/dependencies/directions.js';
import { exceptionViolations } from '../../../dev/dependencies/exceptions.js';
import { folderViolations } from '../../../dev/dependencies/folders.js';
import { nameViolations } from '../../../dev/dependencies/names.js';
import { readmeViolations } from '../../../dev/dependencies/readmes.js';
import { type Source, toSource } from '../../../dev/dependencies/sources.js';

/** A file that imports these modules, each as `import { a } from`, or `import type` after a `?`. */
function file(path: string, ...targets: string[]): Source {
  const lines = targets.map((target) => {
    const type = target.startsWith('?') ? 'type ' : '';
    return `import ${type}{ a } from '${target.replace('?', '')}';`;
  });
  return toSource(path, lines.join('\n'));
}

t.test('imports are read in every form', async (t) => {
  const text = [
    "import './first.js';",
    "import a, { b } from '../second.js';",
    "import type {\n  C,\n  D,\n} from '#src/third.js';",
    "import * as e from 'package';",
    "export { f } from '#workers/fourth.js';",
    "export * from './fifth.js';",
    "const g = await import('./sixth.js');",
    "const text = 'nothing comes from this';",
  ].join('\n');
  const modules = toSource('src/scim/x.ts', text).imports.map(({ module }) => module);
  t.same(modules.sort(), [
    'package',
    'src/scim/fifth',
    'src/scim/first',
    'src/scim/sixth',
    'src/second',
    'src/third',
    'workers/fourth',
  ]);
});

t.test('directions: rooms, folders and packages', async (t) => {
  const rows: [source: Source, reason: RegExp | undefined][] = [
    [file('src/directory/x.ts', '#src/platform/errors.js'), undefined],
    [file('src/directory/x.ts', '../scim/routes.js'), /directory\/ may not know scim/],
    [file('src/scim/x.ts', '?#src/oidc/x.js'), /scim\/ may not know oidc/],
    [file('src/scim/x.ts', '?#src/people/users/index.js'), undefined],
    [file('src/scim/x.ts', '?#src/people/users/add-user.js'), /through the index/],
    [file('workers/x.ts', '#src/people/users/add-user.js'), /through the index/],
    [file('src/people/x.ts', '#src/people/users/add-user.js'), undefined],
    [file('test/unit/x.test.ts', '#src/people/users/add-user.js'), undefined],
    [file('src/people/x.ts', '#src/access/projects/index.js'), /people\/ may not know access/],
    [file('src/scim/x.ts', '?#src/rooms.js'), /scim\/ may not know rooms/],
    [file('src/app.ts', './http/base/problem.js', './rooms.js'), undefined],
    [file('src/scim/x.ts', '#src/http/base/problem.js', '#src/config.js'), undefined],
    [file('src/scim/x.ts', '#src/http/limits/body-limits.js'), /not a door of http\//],
    [file('workers/x.ts', '?#src/jobs/inner.js'), /not a door of jobs\//],
    [file('src/jobs/x.ts', './inner.js'), undefined],
    [file('test/unit/x.test.ts', '#src/jobs/inner.js'), undefined],
    [file('src/scim/x.ts', '#workers/main.js'), /src\/ may not know workers\//],
    [file('workers/x.ts', '../test/support/until.js'), /workers\/ may not know test\//],
    [file('bench/x.ts', '../dev/ping.js', '#src/app.js'), undefined],
    [file('bench/x.ts', '?../test/support/until.js'), /bench\/ may not know test\//],
    [file('test/unit/x.test.ts', '../../bench/x.js'), undefined],
    [file('src/directory/x.ts', 'mongodb'), /only platform\/ and \*\.store\.ts may/],
    [file('src/directory/x.store.ts', 'mongodb'), undefined],
    [file('test/unit/x.test.ts', 'mongodb'), undefined],
  ];
  for (const [source, reason] of rows) {
    const found = directionViolations([source]);
    if (reason === undefined) t.same(found, [], source.text);
    else t.match(found, [reason], source.text);
  }
});

t.test('a door that no other room uses leaves the list', async (t) => {
  const sources = [
    file('src/scim/x.ts', '#src/jobs/job.js'),
    file('src/jobs/y.ts', '#src/jobs/errors.js'),
    file('test/unit/x.test.ts', '#src/jobs/inner.js'),
  ];
  t.same(
    unusedDoors(sources, { jobs: ['errors', 'inner', 'job'] }),
    ['errors', 'inner'].map(
      (file) => `jobs/${file} is entered by no other room: remove it from dev/dependencies/doors.ts`,
    ),
  );
});

t.test('indexes that no other room enters, and too many of them', async (t) => {
  const sources = [
    file('src/people/index.ts'),
    file('src/people/users/index.ts', '../groups/index.js'),
    file('src/people/groups/index.ts'),
    file('src/jobs/index.ts'),
    file('src/rooms.ts', './people/index.js'),
    file('src/admin/x.routes.ts', '#src/people/users/index.js'),
    file('test/unit/x.test.ts', '#src/people/groups/index.js'),
  ];
  const unused = 'src/people/groups/index.ts is entered by no other room: remove it';
  t.same(indexViolations(sources), [unused]);
  t.same(indexViolations(sources, 2), [unused, 'the rooms of the directory have 3 doors, at most 2 may be']);
});

t.test('more exceptions than ten, wherever they are', async (t) => {
  const sharedNames = toSource(
    'dev/dependencies/shared-names.ts',
    'export const sharedNames = `\n  a b\n  c\n`;',
  );
  const ignore = '// biome-ignore lint/style/x: because';
  const sources = [
    toSource(
      'src/a.ts',
      `${ignore}\n  ${ignore}\n// @ts-expect-error\n/* @ts-ignore */\nconst text = '${ignore}';`,
    ),
    toSource('test/b.ts', Array.from({ length: 3 }, () => ignore).join('\n')),
  ];
  const few = { 'biome.json': { overrides: [{}] } };
  t.same(exceptionViolations(sources, { settings: few, sharedNames }), []);
  const found = exceptionViolations(sources, {
    settings: { ...few, 'knip.json': { ignoreDependencies: ['x'], entry: ['y'] } },
    sharedNames,
  });
  t.equal(found.length, 11);
  t.match(found, [/^src\/a\.ts:1: one of 11 exceptions, at most 10 may be$/]);
  t.ok(found.some((line) => line.startsWith('knip.json has ignoreDependencies')));
});

t.test('circles, also of types, wherever they are', async (t) => {
  const sources = [
    file('src/a.ts', './b.js'),
    file('src/b.ts', '?./c.js', './d.js'),
    file('src/c.ts', '#src/a.js'),
    file('src/d.ts', 'node:fs'),
    file('test/e.ts', './f.js'),
    file('test/f.ts', '?./e.js'),
  ];
  t.same(circleViolations(sources), [
    'src/a, src/b, src/c import each other',
    'test/e, test/f import each other',
  ]);
  t.same(circleViolations([file('src/a.ts', './b.js'), file('src/b.ts', './c.js')]), []);
});

t.test('circles of folders, also where no two files import each other', async (t) => {
  const sources = [
    file('src/a/b/one.ts', '?../c/two.js'),
    file('src/a/c/three.ts', '#src/d/four.js'),
    file('src/a/c/two.ts', 'node:fs'),
    file('src/d/four.ts', '#src/a/b/five.js'),
    file('src/a/b/five.ts'),
    file('src/a/b/deep/six.ts', '../one.js'),
    file('test/e/seven.ts', '../f/eight.js'),
    file('test/f/eight.ts'),
    file('test/f/nine.ts', '../e/seven.js'),
  ];
  const circle = 'the folders src/a/b, src/a/c, src/d import each other';
  t.same(folderCircleViolations(sources), [circle]);
  const within = [
    file('src/a/b/one.ts', '../two.js'),
    file('src/a/two.ts', './b/three.js'),
    file('src/a/b/three.ts'),
  ];
  t.same(folderCircleViolations(within), ['the folders src/a, src/a/b import each other']);
  const roots = [file('src/x.ts', './g/h.js'), file('src/y.ts'), file('src/g/h.ts', '../y.js')];
  t.same(folderCircleViolations(roots), [], 'each file of src is a folder of its own');
});

t.test('two files export no name, unless the list has it', async (t) => {
  const sources = [
    toSource('src/scim/a.ts', 'export function take() {}\nexport interface One {}\nfunction own() {}'),
    toSource(
      'workers/b.ts',
      'export async function take() {}\nexport const one = 1;\nexport function own() {}',
    ),
    toSource('src/login/texts/de.ts', 'export const de = {};'),
    toSource('src/console/texts/de.ts', 'export const de = {};'),
    toSource('test/c.ts', 'export type One = 1;'),
  ];
  t.same(nameViolations(sources, []), [
    'src/scim/a.ts, workers/b.ts export take: name different things differently',
  ]);
  t.same(nameViolations(sources, ['take']), []);
  t.same(nameViolations(sources, ['take', 'own']), [
    'own is exported once: remove it from dev/dependencies/shared-names.ts',
  ]);
});

t.test('a folder holds at most 30 source files', async (t) => {
  const paths = Array.from({ length: 30 }, (_, index) => `src/scim/file-${index}.ts`);
  t.same(folderViolations([...paths, 'src/scim/list/another.ts']), []);
  t.match(folderViolations([...paths, 'src/scim/another.ts']), [/^src\/scim holds 31 source files/]);
});

t.test('a README of a room names only files that are there', async (t) => {
  const there = new Set([
    'src/scim/schema',
    'src/scim/list/page.ts',
    'src/http/base/problem.ts',
    'src/scim/x.ts',
  ]);
  const check = (text: string) =>
    readmeViolations([{ folder: 'src/scim', text }], (path) => there.has(path.replace(/\/$/, '')));
  t.same(
    check('`schema/`, `list/page.ts`, `http/base/problem`, `x.ts`, `/admin/v1`, `listUsers`, `max-age=1`'),
    [],
  );
  for (const gone of ['filter/', 'list/pages.ts', 'page.ts', 'http/errors']) {
    t.same(check(`See \`${gone}\`.`), [`src/scim/README.md names ${gone}: there is no such file`]);
  }
});
