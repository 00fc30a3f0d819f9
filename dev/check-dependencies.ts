import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circleViolations, folderCircleViolations } from './dependencies/circles.js';
import { directionViolations, indexViolations, unusedDoors } from './dependencies/directions.js';
import { exceptionViolations } from './dependencies/exceptions.js';
import { folderViolations } from './dependencies/folders.js';
import { nameViolations } from './dependencies/names.js';
import { type Readme, readmeViolations } from './dependencies/readmes.js';
import { sharedNames } from './dependencies/shared-names.js';
import { readSources, toSource } from './dependencies/sources.js';

const readmes: Readme[] = readdirSync('src')
  .map((room) => join('src', room))
  .filter((folder) => existsSync(join(folder, 'README.md')))
  .map((folder) => ({ folder, text: readFileSync(join(folder, 'README.md'), 'utf8') }));

const sources = readSources(['src', 'workers', 'dev', 'bench', 'test']);
const paths = sources.map(({ path }) => path).filter((path) => /^(src|workers|test)\//.test(path));

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const settings = { 'biome.json': readJson('biome.json'), 'knip.json': readJson('knip.json') };
const nameFile = 'dev/dependencies/shared-names.ts';

const violations = [
  ...directionViolations(sources),
  ...unusedDoors(sources),
  ...indexViolations(sources),
  ...circleViolations(sources),
  ...folderCircleViolations(sources),
  ...folderViolations(paths),
  ...nameViolations(sources, sharedNames),
  ...readmeViolations(readmes, existsSync),
  ...exceptionViolations(sources, {
    settings,
    sharedNames: toSource(nameFile, readFileSync(nameFile, 'utf8')),
  }),
];
for (const line of violations) console.error(line);
if (violations.length > 0) process.exitCode = 1;
