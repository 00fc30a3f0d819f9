import { posix } from 'node:path';
import { guidesPath } from '../base/guides-path.js';

/** The index. Its section for people who change Muster is not served. */
export const indexFile = 'docs/README.md';

/** Files whose address does not follow from their name. */
const others: Readonly<Record<string, string>> = {
  [indexFile]: guidesPath,
  'README.md': '/docs/readme',
  'SECURITY.md': '/docs/security',
  'docs/mappings/README.md': '/docs/mappings',
  // The service makes this one itself.
  'docs/openapi.json': '/openapi.json',
};

/**
 * The address of a document.
 * @param file its path in the repository, such as `docs/guides/express.md`
 * @returns undefined if the service does not serve it
 */
export function documentAddress(file: string): string | undefined {
  if (Object.hasOwn(others, file)) return others[file];
  if (/^docs\/(?:guides\/)?[\w-]+\.md$/.test(file)) return `/${file.slice(0, -'.md'.length)}`;
  return /^docs\/(?:mappings\/)?[\w.-]+\.json$/.test(file) ? `/${file}` : undefined;
}

/**
 * Where a link of a document leads.
 * @param file the document, as its path in the repository
 * @param target as the document has it: an address, a path from the folder of the file, or `#` and a heading
 * @returns undefined if it leads to a file that the service does not serve
 */
export function linkAddress(file: string, target: string, baseUrl: string): string | undefined {
  if (/^https?:\/\//.test(target) || target.startsWith('#')) return target;
  const [path = '', anchor] = target.split('#', 2);
  const address = documentAddress(posix.join(posix.dirname(file), path));
  if (address === undefined) return undefined;
  return `${baseUrl}${address}${anchor === undefined ? '' : `#${anchor}`}`;
}
