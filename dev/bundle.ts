import { cp, readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/**
 * Bundles the programs from their sources to `dist`. Reading some hundred modules would take most of their start. Types
 * are not checked here but by `make lint`, so that a build takes a second.
 *
 * A process keeps the text of its bundle in memory, with two bytes for each character if one of them is beyond Latin-1. So comments and
 * blanks are left out, and patterns write such characters as `\u03bc`. Names stay, so that stacks can be read.
 */

/**
 * Packages that stay apart: native ones, those that are found by their path (`bcryptjs`, `@zxcvbn-ts`), and those that are loaded
 * only when they are used.
 */
const apart = [
  'argon2',
  'bcryptjs',
  'sharp',
  '@aws-sdk/*',
  '@azure/*',
  '@google-cloud/storage',
  '@opentelemetry/*',
  '@zxcvbn-ts/*',
];

/**
 * Modules of Node.js are required, although the sources import them. For a module that is imported, Node.js reads all its exports, and some of
 * them load a lot: `node:http` loads the whole of fetch.
 */
const requireBuiltins: Plugin = {
  name: 'require-builtins',
  setup({ onResolve, onLoad }) {
    const names = new Set(builtinModules);
    onResolve({ filter: /^(?:node:)?[a-z_]+(?:\/[a-z]+)?$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      const isImported = kind === 'import-statement' && names.has(name);
      return isImported ? { path: name, namespace: 'builtin' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      return { contents: `module.exports = require('node:${path}')`, loader: 'js' };
    });
  },
};

/**
 * The router compiles a function from a text for each piece of each route when the route is added. That takes a sixth of the start. In the
 * bundle, each function is compiled when it is first called. For each file of the router:
 *
 * - `head`: the head of the method that compiles.
 * - `late`: what replaces that head.
 * - `signature`: a text of the file with the parameters of the compiled function. `late` has the same parameters.
 */
const compiledLate: Readonly<Record<string, Readonly<Record<'head' | 'late' | 'signature', string>>>> = {
  'node.js': {
    head: 'function compilePrefixMatch (prefix) {',
    signature: "return new Function('path', 'i', `",
    late: `function compilePrefixMatch (prefix) {
       let match
       return (path, i) => (match ??= compileNow(prefix))(path, i)
     }
     function compileNow (prefix) {`,
  },
  'handler-storage.js': {
    head: '_compileCreateParamsObject (params) {',
    signature: 'function _createParamsObject (param0, param1, param2, param3, extraParams) {',
    late: `_compileCreateParamsObject (params) {
       const names = [...params]
       let make
       return (a, b, c, d, more) => (make ??= this._compileNow(names))(a, b, c, d, more)
     }
     _compileNow (params) {`,
  },
};

const compileRoutesLate: Plugin = {
  name: 'compile-routes-late',
  setup({ onLoad }) {
    onLoad({ filter: /find-my-way\/lib\/(?:node|handler-storage)\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const { head, signature, late } = compiledLate[basename(path)] ?? {};
      if (head === undefined || signature === undefined || late === undefined)
        throw new Error(`${path} is unknown`);
      for (const part of [head, signature])
        if (text.split(part).length !== 2) throw new Error(`${path} must have once: ${part}`);
      return { contents: text.replace(head, () => late), loader: 'js' };
    });
  },
};

/**
 * Each program has files of its own. Programs that shared their files would be cut into twice as many, because a file holds what the same programs
 * need. Node.js spends a tenth of a start on finding and linking files.
 */
const programs = [
  ['src/server.ts'],
  ['workers/main.ts'],
  ['src/cli/main.ts'],
  [
    'src/keys/hash-thread.ts',
    'src/connections/saml/saml-thread.ts',
    'src/migration/convert/upload/upload-thread.ts',
    'src/migration/digest/sum-thread.ts',
  ],
];

/** The files that a program may load when it starts. */
const mostFiles = 40;

async function bundle(entryPoints: string[]): Promise<Metafile['outputs']> {
  const { metafile } = await build({
    entryPoints,
    outdir: 'dist',
    outbase: '.',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['muster-source'],
    external: apart,
    plugins: [requireBuiltins, compileRoutesLate],
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    minifyWhitespace: true,
    lineLimit: 400,
    legalComments: 'none',
    logLevel: 'warning',
    // Packages in the older module format call `require`.
    banner: {
      js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
    },
  });
  return metafile.outputs;
}

await rm('dist/chunks', { recursive: true, force: true });
const outputs = Object.assign({}, ...(await Promise.all(programs.map(bundle)))) as Metafile['outputs'];

/** The files that a start loads: those that the program imports, and those that these import. */
function filesOf(path: string, known = new Set<string>()): Set<string> {
  known.add(path);
  for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement' && external !== true && !known.has(next)) filesOf(next, known);
  return known;
}

for (const [program = ''] of programs) {
  const files = filesOf(`dist/${program.replace(/\.ts$/, '.js')}`).size;
  if (files > mostFiles) throw new Error(`${program} loads ${files} files when it starts`);
}

// The documents that the service serves, and the console reads (`src/http/documents`).
await rm('dist/docs', { recursive: true, force: true });
const isServed = (path: string) => !/^docs\/(?:decisions|openapi\.json)/.test(path);
for (const path of ['README.md', 'SECURITY.md', 'docs'])
  await cp(path, `dist/${path}`, { recursive: true, filter: isServed });

for (const path of Object.keys(outputs).filter((name) => name.endsWith('.js'))) {
  const wide = /[^\0-\xff].{0,60}/.exec(await readFile(path, 'utf8'));
  if (wide !== null) throw new Error(`${path} takes twice its size in memory, because of ${wide[0]}`);
}

// `await import('package')` of a CommonJS package has no named exports in the bundle. An `import` at the head of a file has them.
for (const { entryPoint, exports } of Object.values(outputs)) {
  if (entryPoint?.startsWith('node_modules/') && exports.join() === 'default')
    throw new Error(
      `${entryPoint} is CommonJS, and has no named exports by import(). Import it in a file of its own, and load that file`,
    );
}
