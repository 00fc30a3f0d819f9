import { readFileSync } from 'node:fs';
import { StartError } from '#src/platform/start-error.js';

/** @throws StartError when the file cannot be read */
export function readSmallFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
