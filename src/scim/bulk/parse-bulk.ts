import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, requireJsonObject, requireMessageSchema } from '../protocol/json.js';
import { JsonTexts } from '../protocol/json-text.js';
import { limits } from '../protocol/limits.js';
import { urns } from '../protocol/urns.js';
import type { BulkOperation, BulkRequest } from './bulk-operation.js';

/**
 * Reads the envelope of a Bulk request (RFC 7644 section 3.7). Other faults of an operation fail that operation later.
 * @throws AppError for a wrong schema, a wrong type, too many operations or a bulkId that is used twice
 */
export function parseBulkRequest(body: unknown): BulkRequest {
  const members = membersOf(requireJsonObject(body, 'The body'));
  requireMessageSchema(members, urns.bulkRequest);
  const list = members.get('operations');
  if (!Array.isArray(list)) throw wrongType('Operations must be an array');
  if (list.length > limits.bulkOperations) {
    throw new AppError(scimErrors.tooManyOperations, {
      detail: `A Bulk has at most ${limits.bulkOperations} operations`,
    });
  }
  const texts = new JsonTexts();
  const operations = list.map((item, index) => parseBulkOperation(item, index, texts));
  requireDistinctBulkIds(operations);
  const failOnErrors = members.get('failonerrors');
  if (failOnErrors === undefined || failOnErrors === null) return { operations };
  if (!Number.isInteger(failOnErrors)) throw wrongType('failOnErrors must be an integer');
  if ((failOnErrors as number) < 1)
    throw new AppError(scimErrors.badValue, { detail: 'failOnErrors is at least 1' });
  return { operations, failOnErrors: failOnErrors as number };
}

/** Some clients, such as older versions of SCIM-SDK, send `data` as a JSON text. */
function parseBulkOperation(item: unknown, index: number, texts: JsonTexts): BulkOperation {
  const members = membersOf(requireJsonObject(item, `Operations[${index}]`));
  const text = (name: string): string => {
    const value = members.get(name);
    if (typeof value !== 'string') throw wrongType(`${name} of Operations[${index}] must be a string`);
    return value;
  };
  const bulkId = members.get('bulkid') == null ? undefined : text('bulkid');
  const version = members.get('version') ?? undefined;
  if (version !== undefined && typeof version !== 'string' && typeof version !== 'number')
    throw wrongType(`version of Operations[${index}] must be a string`);
  return {
    method: text('method').toUpperCase(),
    path: text('path'),
    ...(bulkId !== undefined && { bulkId }),
    ...(version !== undefined && { version: String(version) }),
    ...(members.has('data') && { data: texts.read(members.get('data')) }),
  };
}

function requireDistinctBulkIds(operations: readonly BulkOperation[]): void {
  const seen = new Set<string>();
  for (const { bulkId } of operations) {
    if (bulkId === undefined) continue;
    if (seen.has(bulkId)) throw new AppError(scimErrors.badValue, { detail: 'A bulkId is used twice' });
    seen.add(bulkId);
  }
}

function wrongType(detail: string): AppError {
  return new AppError(scimErrors.wrongType, { detail });
}
