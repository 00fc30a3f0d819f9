import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';

const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/${path}`);
const sources = paths.map((path) => readFileSync(path, 'utf8'));
/** The programs that threads run, such as `src/keys/hash-thread`. */
const programs = paths.filter((path) => path.endsWith('-thread.ts')).map((path) => path.replace(/\.ts$/, ''));

/**
 * In the bundle a module stands in another file than its source. A program that is named by a path beside its caller is then not found,
 * and a caller that can do without its thread only becomes slow.
 */
t.test('the program of each thread is found from a bundle', async (t) => {
  t.ok(programs.length >= 4, 'there are programs');
  const bundle = readFileSync('dev/bundle.ts', 'utf8');
  for (const program of programs) {
    t.ok(bundle.includes(`'${program}.ts'`), `${program} is built`);
    t.ok(
      sources.some((text) => text.includes(`resolve('#${program}.js')`)),
      `${program} is started by its name in the package`,
    );
  }
  const beside = sources.filter((text) => /resolve\('\.|new Worker\((?:new URL|'\.)/.test(text));
  t.equal(beside.length, 0, 'no program is named by a path beside its caller');
});
