import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root folder of the repository, from the source of this file and from its compiled form in `dist/` alike. */
export const repository = root(import.meta.dirname);

function root(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : root(dirname(folder));
}
