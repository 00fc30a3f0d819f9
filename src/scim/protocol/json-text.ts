import { httpErrors } from '#src/http/base/errors.js';
import { AppError } from '#src/platform/errors.js';
import { measureJson } from '#src/platform/json/measure-json.js';
import { scimErrors } from './errors.js';

/** The deepest nesting of a body. SCIM needs six levels. The limit keeps recursion over a body from exhausting the stack. */
const maxDepth = 32;

/**
 * The most members, objects and arrays of a body. A Bulk of 100 users with 50 attributes has half of them. Each takes some
 * microseconds, in which the process serves nobody else.
 */
const maxParts = 20_000;

/** @throws AppError `scim.badJson` if the text is not JSON or nests too deep, `http.bodyTooLarge` if it has too many parts */
export function parseJson(text: string): unknown {
  requireModest(text, maxParts);
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new AppError(scimErrors.badJson);
  }
}

/** Returns the number of parts of a JSON text, which need not be valid. */
function requireModest(text: string, most: number): number {
  const { depth, values } = measureJson(text);
  if (depth > maxDepth)
    throw new AppError(scimErrors.badJson, { detail: `The body nests deeper than ${maxDepth} levels` });
  if (values > most)
    throw new AppError(httpErrors.bodyTooLarge, { detail: `The body has more than ${maxParts} members` });
  return values;
}

/** A text that looks like JSON and is none takes the parser as long as so many parts. */
const partsOfFailure = 100;

/**
 * Reads objects and lists that a client sent as JSON texts: `"value": "{\"title\":\"Chief\"}"`. SCIM-SDK and SCIM for Keycloak do
 * so. All texts of a request have the limits of one body together.
 */
export class JsonTexts {
  #left = maxParts;

  /**
   * Returns the object or the list of a JSON text, and every other value as it is. Call it only where an object or a list is expected:
   * elsewhere such a text is a text.
   * @throws AppError `scim.badJson` if the text nests too deep, `http.bodyTooLarge` if the texts have too many parts together
   */
  read(value: unknown): unknown {
    if (typeof value !== 'string' || !/^[ \t\n\r]*[[{]/.test(value)) return value;
    this.#left -= requireModest(value, this.#left);
    try {
      return JSON.parse(value);
    } catch {
      this.#left -= partsOfFailure;
      return value;
    }
  }
}
