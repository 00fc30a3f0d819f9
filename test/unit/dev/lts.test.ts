import { readFileSync } from 'node:fs';
import t from 'tap';
import { earlierLts, newestLts } from '../../../dev/lts.js';

t.test('the image has the newest LTS version that is tested', async (t) => {
  const images = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM node:([\d.]+)-/gm)];
  t.same([...new Set(images.map(([, version]) => version))], [newestLts.version]);
});

t.test('package.json and the documents name the versions that are tested', async (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const ranges: string[] = engines.node.split(' || ');
  for (const { version } of [newestLts, earlierLts]) {
    const [major = ''] = version.split('.');
    t.ok(
      ranges.some((range) => range.startsWith(`^${major}.`)),
      `engines has ${major}`,
    );
    for (const file of ['README.md', 'CONTRIBUTING.md', 'docs/decisions/0013-node-versions.md'])
      t.match(readFileSync(file, 'utf8'), new RegExp(`\\b${major}\\b`), `${file} has ${major}`);
  }
});
