import { extname } from 'node:path';
import t from 'tap';
import { laterFiles } from '../../dev/later-files.js';
import { families, parts, whole } from '../support/stores/on-cluster.js';
import { startCluster, watchNames } from '../support/stores/redis-topologies.js';

const cluster = await startCluster(t);
if (cluster !== undefined) {
  const names = await watchNames(t, cluster);
  const { TEST_BUNDLE } = process.env;
  if (TEST_BUNDLE === undefined) {
    for (const file of [...whole, ...Object.keys(parts)]) await runApart(file, cluster.url);
  } else {
    const some = Object.keys(parts);
    const half = some.length / 2;
    const groups = [whole, some.slice(0, half), some.slice(half)];
    await Promise.all(groups.map((files) => runTogether(TEST_BUNDLE, { files, url: cluster.url })));
  }
  const seen = new Set([...names].flatMap((name) => name.replace(/[{}]/g, '').split(':').slice(1, 3)));
  const unseen = families.filter((family) => !seen.has(family));
  t.same(unseen, [], 'each family of keys was written');
}

/** Runs a compiled file. */
function runApart(file: string, url: string) {
  const path = new URL(`../${file}.test${extname(import.meta.filename)}`, import.meta.url).pathname;
  const env = { ...process.env, REDIS_URL: url, ...only([file], []) };
  return t.spawn(process.execPath, [...process.execArgv, path], { env, name: file });
}

/** Runs files of the bundle in one process. */
function runTogether(bundle: string, { files, url }: { files: readonly string[]; url: string }) {
  const [first = '', ...later] = files.map((file) => `test/${file}.test.ts`);
  // The tests of a file are below the test of the file.
  const env = {
    ...process.env,
    REDIS_URL: url,
    [laterFiles]: later.join(),
    // Each file gets an equal part.
    TAP_TIMEOUT: String(Number(process.env['TAP_TIMEOUT']) * files.length),
    ...only(files, ['/./']),
  };
  return t.spawn(process.execPath, [...process.execArgv, bundle, first], { env, name: files.join(', ') });
}

/** How tap is told which tests of the files to run. */
function only(files: readonly string[], above: readonly string[]) {
  const beginnings = files.flatMap((file) => parts[file] ?? []);
  if (beginnings.length === 0) return {};
  return { TAP_GREP: [...above, `/^(${beginnings.join('|')})/`].join('\n'), TAP_FILTER_QUIETLY: '1' };
}
