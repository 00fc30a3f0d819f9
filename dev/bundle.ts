import { cp, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';

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

await rm('dist/chunks', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [
    'src/server.ts',
    'workers/main.ts',
    'src/cli/main.ts',
    'src/keys/hash-thread.ts',
    'src/connections/saml/saml-thread.ts',
    'src/migration/convert/upload/upload-thread.ts',
    'src/migration/digest/sum-thread.ts',
  ],
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

// The documents that the service serves, and the console reads (`src/http/documents`).
await rm('dist/docs', { recursive: true, force: true });
const isServed = (path: string) => !/^docs\/(?:decisions|openapi\.json)/.test(path);
for (const path of ['README.md', 'SECURITY.md', 'docs'])
  await cp(path, `dist/${path}`, { recursive: true, filter: isServed });

for (const path of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
  const wide = /[^\0-\xff].{0,60}/.exec(await readFile(path, 'utf8'));
  if (wide !== null) throw new Error(`${path} takes twice its size in memory, because of ${wide[0]}`);
}
