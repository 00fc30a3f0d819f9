import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the version of this program, from the nearest `package.json` above this file. */
export function readVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return String(JSON.parse(readFileSync(path, 'utf8')).version);
    if (folder === dirname(folder)) return 'unknown';
  }
}
