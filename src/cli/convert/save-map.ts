import { existsSync, writeFileSync } from 'node:fs';
import type { MappingGuess } from '#src/migration/convert/guess/guess-mapping.js';
import { StartError } from '#src/platform/start-error.js';

/**
 * Returns the function that writes a guessed mapping to a new file, for `--save-map`.
 * @throws StartError when there is nothing to guess or the file exists. So does the function when the file cannot be written
 */
export function mapSaver(path: string, isGiven: boolean): (mapping: MappingGuess['mapping']) => void {
  if (isGiven)
    throw new StartError('--save-map writes a guessed mapping, and --map gives one. Leave out one of them');
  if (existsSync(path)) throw new StartError(`${path} exists. --save-map replaces no file`);
  return (mapping) => {
    try {
      writeFileSync(path, `${JSON.stringify(mapping, undefined, 2)}\n`, { flag: 'wx' });
    } catch (error) {
      throw new StartError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
    }
  };
}
