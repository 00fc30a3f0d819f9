import type { AppError, ViolationParams } from '#src/platform/errors.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { type ConversionProblem, type KnownProblem, textOfProblem } from './conversion-problems.js';
import { doubtsAbout, hasTwins, withLongNumbersAsTexts } from './exact-json.js';

/** The fields of a record of an input. */
export type Fields = Readonly<JsonObject>;

/** Raised when a record cannot be converted. Its message contains no secret of the record. */
export class ConversionError extends Error {
  readonly known: KnownProblem;

  constructor(id: ConversionProblem, params: KnownProblem['params'] = {}) {
    super(textOfProblem({ id, params }));
    this.known = { id, params };
  }
}

/** The error of a value that a rule of the directory refuses. */
export function refusedBy({ message, violations }: AppError): ConversionError {
  const [first] = violations;
  const rule = first?.id ?? '';
  return new ConversionError('value', {
    detail: message,
    rule,
    name: first?.path.join('.') ?? '',
    ...plain(first?.params),
  });
}

/** The parameters that are one value. */
function plain(params: ViolationParams = {}): Record<string, string | number> {
  const known = Object.entries(params).filter(([name]) => !['detail', 'rule', 'name'].includes(name));
  return Object.fromEntries(
    known.map(([name, value]) => [name, typeof value === 'object' ? value.join(', ') : value]),
  );
}

/**
 * Reads a record. Whole numbers beyond 2^53 become texts with their digits, because a number cannot hold them (RFC 8259 section 6).
 * @throws ConversionError when the text is not JSON, or not an object, or an object in it has two members of one name. Readers differ in which
 *   of them counts (RFC 8259 section 4)
 */
export function parseFields(text: string): Fields {
  const fields = asFields(parse(text));
  if (fields === undefined) throw new ConversionError('notObject');
  const { mayHaveTwins, hasLongNumber } = doubtsAbout(text, fields);
  if (mayHaveTwins && hasTwins(text)) throw new ConversionError('twoMembers');
  return hasLongNumber ? (parse(withLongNumbersAsTexts(text)) as Fields) : fields;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the message of JSON.parse, which quotes the text: it may contain a hash.
    throw new ConversionError('notJson');
  }
}

/** The value, if it is an object. */
export function asFields(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The first of these fields that is a string and not blank, trimmed. */
export function textOf(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const text = value.trim();
    if (text !== '') return text;
  }
  return undefined;
}
