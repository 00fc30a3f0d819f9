import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { packagesIn } from '../../support/docs/guide-blocks.js';

/** Every document is in the index, every link and path leads somewhere, and every guide says what was tried. */

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
  ...readdirSync('docs/decisions').map((name) => join('docs/decisions', name)),
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

t.test('README tells what surprises relying parties', async (t) => {
  const text = readFileSync('README.md', 'utf8');
  t.match(text, /`idTokenUserinfoAssertion`/);
  t.match(text, /Silent renewal in a frame works only on the same site/);
});

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

t.test(
  'no text of the service leads to a document of the repository, but to the page that it serves',
  async (t) => {
    const named = ['src', 'workers']
      .flatMap(entriesBelow)
      .filter((path) => path.endsWith('.ts') && !path.startsWith('src/http/documents/'))
      .flatMap((path) =>
        [...withoutComments(read(path)).matchAll(/docs\/[\w/-]+\.md/g)].map(([name]) => `${path}: ${name}`),
      );
    t.same(named, []);
  },
);

/** A source without its comments, which stand on lines of their own. */
function withoutComments(source: string): string {
  return source.replace(/^ *(?:\/\/.*|\/?\*.*)$/gm, '');
}

t.test('every path that a document for contributors names is there', async (t) => {
  const folders = ['src', 'workers', 'dev', 'bench', 'test', 'docs', 'k8s'];
  const below = folders.flatMap((folder) => [folder, ...entriesBelow(folder)]);
  // Documents may leave out the beginning of a path, and the extension of a source file.
  const known = new Set([...readdirSync('.'), ...below].flatMap(endsOf));
  const notInTheRepository = [
    ...['src/admin/organizations/user-count.routes.ts', 'docs/guides/NAME.md'], // The reader writes them.
    ...['.muster/first-start.json', 'dist', 'node_modules/.cache'], // Programs make them.
    'support/kubernetes', // The table of deleted tests names it.
  ];
  const missing = [
    ...['ARCHITECTURE.md', 'CONTRIBUTING.md'],
    ...below.filter((path) => /(^|\/)README\.md$/.test(path) || /^docs\/decisions\/.*\.md$/.test(path)),
  ].flatMap((page) =>
    pathsIn(read(page))
      .filter((path) => !known.has(path) && !notInTheRepository.includes(path))
      .map((path) => `${page}: ${path}`),
  );
  t.same(missing, []);
});

t.test('every guide says what was tried, and a test runs its commands', async (t) => {
  const tests = [...filesBelow('test/integration/docs'), ...filesBelow('test/slow/guides')]
    .map(read)
    .join('\n');
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
    for (const name of ['express.md', 'fastify.md', 'single-page-application.md', 'api-node.md']) {
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

t.test('the program of every guide for an API fixes the same rules', async (t) => {
  const programs = guides.filter((path) => /api-(node|spring-boot|go|python|aspnet)\.md$/.test(path));
  t.equal(programs.length, 5);
  for (const path of [...programs, 'docs/guides/api-gateway.md']) {
    const code = [...read(path).matchAll(/```(?:js|java|go|python|csharp|yaml|nginx)\n([\s\S]*?)```/g)].join(
      '\n',
    );
    t.match(code, /\bat\+jwt\b/, `${path}: the type`);
    t.match(code, /\bRS256\b|\bRsaSha256\b/, `${path}: the algorithm`);
    t.match(code, /urn:service:iam:org:project:id:/, `${path}: a scope`);
    t.match(code, /urn:service:iam:org:project:roles/, `${path}: a role`);
    t.match(code, /\/oauth\/v2\/introspect|proxy_cache_valid 200 5s/, `${path}: introspection`);
    t.match(code, /[aA]udience/, `${path}: the audience`);
    t.notMatch(code, /HS256|HmacSha/, path);
  }
});

/** Names in backticks with a slash between words, or with the extension of a source file. */
function pathsIn(text: string): string[] {
  const names = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\s]+)`/g)].map(
    ([, name = '']) => name,
  );
  return names
    .filter((name) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(name) && /\/|\.ts$/.test(name))
    .map((name) => name.replace(/\/$/, ''));
}

/** A path and every shorter end of it, each with and without the extension of a source file. */
function endsOf(path: string): string[] {
  const words = path.split('/');
  const ends = words.map((_, at) => words.slice(at).join('/'));
  return [...ends, ...ends.map((end) => end.replace(/(\.test)?\.ts$/, ''))];
}

function filesBelow(folder: string): string[] {
  return entriesBelow(folder).filter((path) => path.endsWith('.test.ts'));
}

function entriesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
