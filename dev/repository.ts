import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The root folder of the repository. It is the same from the source of this file and from its compiled form in `dist/`.
 */
export const repository = root(import.meta.dirname);

function root(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : root(dirname(folder));
}
