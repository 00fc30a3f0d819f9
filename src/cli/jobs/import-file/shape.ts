import { sectionKeys } from '#src/migration/import/lists/section/section-keys.js';
import { toCamelCase } from '#src/platform/json/camel-case.js';

/**
 * What a file has. `body`: the body of an import. `export`: what `muster export` writes. `list`: an array of organizations. `lines`:
 * organizations and records, one on each line (json-lines.ts).
 */
export type Shape = 'body' | 'export' | 'list' | 'lines';

const keysOfBody: ReadonlySet<string> = new Set([
  'timeout',
  'dryRun',
  'strict',
  'update',
  'unreadableHashes',
  'withoutCredentials',
  'statedAttributes',
]);
const keysOfLine: ReadonlySet<string> = new Set(['orgId', 'org', 'list', 'record', ...sectionKeys]);

/** Recognizes a file by its first key. Undefined if an import can have no such file. @param beginning without a byte order mark */
export function shapeOf(beginning: string): Shape | undefined {
  const text = beginning.trimStart();
  if (text.startsWith('[')) return 'list';
  // An object without keys is a body that says nothing. The service tells what it lacks.
  if (/^\{\s*\}/.test(text)) return 'body';
  const [, word] = /^\{\s*"(\w{1,64})"\s*:/.exec(text) ?? [];
  const key = word === undefined ? '' : toCamelCase(word);
  if (keysOfBody.has(key) || key.startsWith('dataOrgs')) return 'body';
  if (key === 'orgs') return 'export';
  return keysOfLine.has(key) ? 'lines' : undefined;
}
