import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { repository } from './repository.js';

/** The bundled test files. Its argument names the one to run, such as `test/contract/platform/caches.test.ts`. */
export const testBundle = join('dist', 'tests.js');

/** Packages that stay apart and are needed at once: they are found by their path, or must be there only once. */
const apart = ['bcryptjs', '@zxcvbn-ts/*', 'tap'];
/** Packages that stay apart and are loaded when a module asks for them. */
const loadedWhenUsed =
  /^(argon2|sharp|mongodb(\/.*)?|esbuild|playwright-core|@google-cloud\/storage|@aws-sdk\/.*|@azure\/.*|@20minutes\/.*|@opentelemetry\/.*)$/;

/**
 * Bundles test files that load the whole service. To find and compile 1,500 modules takes each of them more than a second of
 * processor time, and from a bundle half a second. A module of the bundle runs when it is first imported.
 */
export async function bundleTests(files: readonly string[]): Promise<void> {
  const imports = files.map(
    (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)})`,
  );
  await build({
    stdin: {
      contents:
        `import { runFiles } from './dev/run-files.js';` +
        `await runFiles({${imports.join()}}, process.argv[2]);`,
      resolveDir: repository,
    },
    outfile: testBundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['muster-source'],
    external: apart,
    plugins: [packagesWhenUsed, testOfFile, compiledPlaces],
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Packages in the older module format call `require`.
    banner: {
      js:
        "import { createRequire as createRequireOf } from 'node:module';" +
        'const require = createRequireOf(import.meta.url); const load = require;',
    },
  });
}

const packagesWhenUsed: Plugin = {
  name: 'packages when used',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: loadedWhenUsed }, ({ path }) => ({ path, namespace: 'when-used' }));
    onLoad({ filter: /.*/, namespace: 'when-used' }, ({ path }) => ({
      contents: `module.exports = load(${JSON.stringify(path)});`,
    }));
  },
};

/** Gives each test file a test of its own in place of the one of the process, which several files share. */
const testOfFile: Plugin = {
  name: 'test of file',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer.endsWith('.test.ts')
        ? { path: relative(repository, importer), namespace: 'test-of-file' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'test-of-file' }, ({ path }) => ({
      contents: `import { testOf } from './dev/run-files.js'; export default testOf(${JSON.stringify(path)});`,
      resolveDir: repository,
    }));
  },
};

/** A module of the bundle believes to be where its compiled form is, because it looks for files beside it. */
const compiledPlaces: Plugin = {
  name: 'compiled places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = path.includes('node_modules') ? '' : await readFile(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const filename = join(repository, 'dist', relative(repository, path)).replace(/ts$/, 'js');
      const place = { url: pathToFileURL(filename).href, filename, dirname: dirname(filename) };
      const contents = text.replaceAll(
        /import\.meta\.(url|filename|dirname)/g,
        (_, name: keyof typeof place) => JSON.stringify(place[name]),
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** Names the sources in the output of a test file that ran from the bundle. Its processes read no source map, which takes long. */
export async function withSources(output: string): Promise<string> {
  const map = new SourceMap(JSON.parse(await readFile(`${testBundle}.map`, 'utf8')));
  return output.replaceAll(/dist\/tests\.js:(\d+):(\d+)/g, (place, line, column) => {
    const found = map.findEntry(Number(line) - 1, Number(column) - 1);
    return 'originalSource' in found
      ? `${join('dist', found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`
      : place;
  });
}
