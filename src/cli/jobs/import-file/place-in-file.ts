import type { JsonObject } from '#src/platform/json/json-object.js';
import { bytesBefore } from './body-of.js';
import type { ImportFile } from './open-import-file.js';

/**
 * Returns an error or a warning of an import with the place in the file. The service tells the place in the body. Lines are the same.
 * Of a file that is sent in other pieces than it has, the line alone is told.
 */
export function placedInFile(told: Readonly<JsonObject>, file: ImportFile): JsonObject {
  const { position, ...rest } = told;
  if (typeof position !== 'number') return told;
  return file.shape === 'lines' ? rest : { ...told, position: position - bytesBefore(file) + file.markBytes };
}
