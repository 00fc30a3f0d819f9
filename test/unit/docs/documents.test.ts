import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { packagesIn } from '../../support/docs/guide-blocks.js';

/** Every document is in the index, every link leads somewhere, and every guide says what was tried. */

const read = (path: string) => readFileSync(path, 'utf8');
const guides = readdirSync('docs/guides').map((name) => join('docs/guides', name));
const documents = readdirSync('docs')
  .filter((name) => /\.(md|json)$/.test(name))
  .map((name) => join('docs', name));
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...documents,
  ...guides,
].filter((path) => path.endsWith('.md'));

/** The targets of the links of a page, without those of its code. */
function linksOf(path: string): string[] {
  const text = read(path)
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(path: string): Set<string> {
  const text = read(path).replace(/```[\s\S]*?```/g, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

t.test('docs/README.md lists every document and guide', async (t) => {
  const listed = linksOf('docs/README.md').map((target) => join('docs', target));
  const all = [...documents, ...guides, 'docs/decisions'].filter((path) => path !== 'docs/README.md');
  t.same(
    all.filter((path) => !listed.includes(path)),
    [],
  );
});

t.test('every link within the repository leads to a file and a heading', async (t) => {
  const broken: string[] = [];
  for (const page of pages) {
    for (const target of linksOf(page)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#', 2);
      const path = file === '' ? page : join(dirname(page), file);
      const isThere = existsSync(path) && (anchor === undefined || statSync(path).isFile());
      if (!isThere || (anchor !== undefined && !anchorsOf(path).has(anchor)))
        broken.push(`${page}: ${target}`);
    }
  }
  t.same(broken, []);
});

t.test('every guide says what was tried, and a test runs its commands', async (t) => {
  const tests = [...filesBelow('test/integration/docs'), ...filesBelow('test/browser')].map(read).join('\n');
  for (const guide of guides) {
    t.match(read(guide), /^Tried|^Not tried|\btested\b/m, guide);
    t.ok(tests.includes(basename(guide)), `a test names ${guide}`);
  }
});

t.test(
  'the programs of the guides that tests run have the packages that their readers install',
  async (t) => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const known = Object.keys({ ...dependencies, ...devDependencies });
    for (const name of ['express.md', 'fastify.md', 'single-page-application.md', 'api-tokens.md']) {
      const packages = packagesIn(read(join('docs/guides', name)));
      t.ok(packages.length > 0, name);
      t.same(
        packages.filter((one) => !known.includes(one)),
        [],
        name,
      );
    }
  },
);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}
