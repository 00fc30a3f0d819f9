import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { JsonTexts } from '../protocol/json-text.js';
import type { BulkOperation } from './bulk-operation.js';
import { bulkErrors } from './errors.js';

const prefix = 'bulkId:';

/** The references of an operation are asked for several times, and its data may be large. */
const known = new WeakMap<BulkOperation, ReadonlySet<string>>();

/** The bulkIds that an operation refers to, in its path and in its data (RFC 7644 section 3.7.2). */
export function referencesOf(operation: BulkOperation): ReadonlySet<string> {
  const references = known.get(operation) ?? findReferences(operation);
  known.set(operation, references);
  return references;
}

function findReferences(operation: BulkOperation): ReadonlySet<string> {
  const found = new Set<string>();
  const inPath = pathReference(operation.path);
  if (inPath !== undefined) found.add(inPath);
  const jsonOf = referenceReader(operation);
  const collect = (value: unknown, name = ''): void => {
    if (typeof value === 'string') {
      if (value.startsWith(prefix)) found.add(value.slice(prefix.length));
      else collect(jsonOf(value, name));
    } else if (Array.isArray(value)) {
      for (const item of value) collect(item);
    } else if (isJsonObject(value)) {
      for (const member in value) collect(value[member], member);
    }
  };
  collect(operation.data);
  return found;
}

/** The names of the only attribute whose JSON text counts in a whole resource. */
const managerName = /(?:^|[:.])manager$/i;

/**
 * Makes a function that returns the object or the list of a JSON text, if references are in it, and undefined for every other text. `name` is
 * the member that has the text. In a whole resource, the JSON text of a manager counts alone.
 * The texts have the limits of those of one PATCH. An operation beyond them is refused later.
 */
function referenceReader({ method }: BulkOperation): (text: string, name: string) => unknown {
  const texts = new JsonTexts();
  let isReading = true;
  return (text, name) => {
    if (!isReading || !text.includes(`"${prefix}`)) return undefined;
    if (method !== 'PATCH' && !managerName.test(name)) return undefined;
    try {
      const json = texts.read(text);
      return typeof json === 'string' ? undefined : json;
    } catch {
      isReading = false;
      return undefined;
    }
  };
}

function pathReference(path: string): string | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.startsWith(prefix) ? last.slice(prefix.length) : undefined;
}

/**
 * The operation with identifiers in the place of its references.
 * @throws AppError `bulk.unresolvedReference` if an operation that it refers to created nothing
 */
export function resolveReferences(operation: BulkOperation, ids: ReadonlyMap<string, string>): BulkOperation {
  const resolve = (bulkId: string): string => {
    const id = ids.get(bulkId);
    if (id === undefined) {
      throw new AppError(bulkErrors.unresolvedReference, { detail: `bulkId:${bulkId} names no resource` });
    }
    return id;
  };
  // Most operations refer to nothing, and their data may be large.
  if (referencesOf(operation).size === 0) return operation;
  const jsonOf = referenceReader(operation);
  const replaced = (text: string, name: string): string => {
    if (text.startsWith(prefix)) return resolve(text.slice(prefix.length));
    const json = jsonOf(text, name);
    return json === undefined ? text : JSON.stringify(replaceStrings(json, replaced));
  };
  const inPath = pathReference(operation.path);
  return {
    ...operation,
    path:
      inPath === undefined
        ? operation.path
        : operation.path.slice(0, -(prefix + inPath).length) + encodeURIComponent(resolve(inPath)),
    ...('data' in operation && {
      data: replaceStrings(operation.data, replaced),
    }),
  };
}

/** A copy of a JSON value with every string replaced. `name` is the member that has the value. read-body.ts limits the depth of the value. */
function replaceStrings(value: unknown, replace: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return replace(value, name);
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, replace));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [member, replaceStrings(item, replace, member)]),
  );
}
