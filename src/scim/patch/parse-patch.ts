import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, requireJsonObject, requireMessageSchema } from '../protocol/json.js';
import { JsonTexts } from '../protocol/json-text.js';
import { limits } from '../protocol/limits.js';
import { urns } from '../protocol/urns.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { expandValue, type PatchReader } from './expand-value.js';
import { soleObject, withoutJsonTexts } from './json-text-values.js';
import type { PatchOperation, PatchPath } from './operation.js';
import { type PathReader, parsePath } from './parse-path.js';

const maxOperations = limits.patchOperations;
/** The length of all paths of one request, in characters. */
const maxPathText = 80_000;
/** A name behind the URN of an extension. Of the URNs of SCIM itself, those of extensions alone: others are mistyped core paths. */
const extensionPath = /^urn:(?!(?:ietf:params:)?scim:(?!schemas:extension:))[\w:.$-]{1,500}$/i;

/**
 * Reads a PatchOp message (RFC 7644 section 3.5.2). Member names and `op` may have any letter case. An operation without a
 * path becomes one operation for each attribute in its value.
 * @throws AppError with scimType invalidSyntax, invalidValue, invalidPath, noTarget, mutability or tooMany
 */
export function parsePatch(body: unknown, schema: ResourceSchema): PatchOperation[] {
  const members = membersOf(requireJsonObject(body, 'The PATCH request'));
  requireMessageSchema(members, urns.patchOp);
  const operations = members.get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw malformed('Operations must be a list that is not empty');
  if (operations.length > maxOperations) throw tooManyOperations();
  const reader = { schema, readPath: createPathReader(schema), texts: new JsonTexts() };
  const parsed = operations.flatMap((operation) => parsePatchOperation(operation, reader));
  if (parsed.length > maxOperations) throw tooManyOperations();
  return parsed;
}

/** Reads the paths of one request. @throws AppError `scim.tooMuchWork` if they are too long together */
function createPathReader(schema: ResourceSchema): PathReader {
  let left = maxPathText;
  return (text) => {
    left -= text.length;
    if (left < 0) {
      throw new AppError(scimErrors.tooMuchWork, {
        detail: `The paths of the request have more than ${maxPathText} characters together`,
      });
    }
    return parsePath(text, schema);
  };
}

function parsePatchOperation(operation: unknown, reader: PatchReader): PatchOperation[] {
  const members = membersOf(requireJsonObject(operation, 'Each operation'));
  const op = parseOp(members.get('op'));
  if (isInExtension(members.get('path'), reader.schema)) return [];
  const path = parseTarget(members.get('path'), reader);
  if (path === 'ignored') return [];
  const value = members.get('value');
  if (op !== 'remove' && value === undefined) {
    throw new AppError(scimErrors.missingValue, { detail: `${op} needs a value` });
  }
  const { texts } = reader;
  if (path !== undefined)
    return [{ op, path: requireWritable(path), value: withoutJsonTexts(path, value, texts) }];
  if (op === 'remove') throw new AppError(scimErrors.pathRequired);
  const parts = requireJsonObject(soleObject(value, texts), 'The value of an operation without path');
  if (Object.keys(parts).length > maxOperations) throw tooManyOperations();
  return expandValue(op, parts, reader);
}

function parseOp(op: unknown): PatchOperation['op'] {
  const word = typeof op === 'string' ? op.toLowerCase() : undefined;
  if (word === 'add' || word === 'replace' || word === 'remove') return word;
  throw malformed('op is add, replace or remove');
}

/**
 * Whether the path leads into an extension that this service lacks, or names an unknown attribute of an extension. Such operations
 * are ignored, as in a whole resource.
 */
function isInExtension(path: unknown, schema: ResourceSchema): boolean {
  if (typeof path !== 'string') return false;
  const name = pathName(path);
  const isKnown = schema.extensions.some((extension) => startsWithUrn(path, extension.name));
  if (!isKnown && !extensionPath.test(name)) return false;
  return schema.withoutUrn(path) === path && schema.find(name) === undefined;
}

/** Whether a path begins with the URN of an extension, in any letter case. Some clients write a dot behind it. */
function startsWithUrn(path: string, urn: string): boolean {
  return (
    path.slice(0, urn.length).toLowerCase() === urn.toLowerCase() && /[:.]/.test(path.charAt(urn.length))
  );
}

/** The attribute that a path names, without its filter. */
function pathName(path: string): string {
  return path.split('[', 1)[0] ?? path;
}

/**
 * Undefined stands for the resource itself: there is no path, or the path is the URN of the schema. A path with an unknown
 * sub-attribute is ignored.
 */
function parseTarget(path: unknown, { schema, readPath }: PatchReader): PatchPath | 'ignored' | undefined {
  if (path === undefined || path === null) return undefined;
  if (typeof path !== 'string') throw new AppError(scimErrors.wrongType, { detail: 'path must be a string' });
  return path.trim() === '' || schema.isUrn(path) ? undefined : (readPath(path) ?? 'ignored');
}

function requireWritable(path: PatchPath): PatchPath {
  if (path.attribute.mutability === 'readOnly') {
    throw new AppError(scimErrors.readOnly, { detail: `${path.attribute.name} is read-only` });
  }
  return path;
}

function malformed(detail: string): AppError {
  return new AppError(scimErrors.badPatchOp, { detail });
}

function tooManyOperations(): AppError {
  return new AppError(scimErrors.tooManyOperations, {
    detail: `A PATCH request has at most ${maxOperations} operations. Each attribute in a value without path is one`,
  });
}
