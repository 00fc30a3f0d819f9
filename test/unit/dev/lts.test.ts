import { readFileSync } from 'node:fs';
import t from 'tap';
import { lts } from '../../../dev/lts.js';

const major = lts.version.split('.')[0];

t.test('the image and package.json name the LTS version that is tested', async (t) => {
  const images = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM node:([\d.]+)-/gm)];
  t.same([...new Set(images.map(([, version]) => version))], [lts.version]);
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  t.ok(engines.node.split(' || ').includes(`^${major}.0.0`));
});
