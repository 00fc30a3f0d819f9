import { isJsonObject } from '#src/platform/json/json-object.js';
import type { JsonTexts } from '../protocol/json-text.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import { targetOf } from '../schema/resource-schema.js';
import type { PatchPath } from './operation.js';
import { soleValue } from './patch-value.js';

/**
 * The value of an operation, with the object or the list in the place of a JSON text wherever the target takes one. Elsewhere such
 * a text is a text: the title `[x]` stays.
 * @throws AppError as `JsonTexts.read`
 */
export function withoutJsonTexts(path: PatchPath, value: unknown, texts: JsonTexts): unknown {
  return readTexts(targetOf(path), value, texts);
}

/** The object that a value stands for: itself, its JSON text, or the only element of a list. Any other value stays. */
export function soleObject(value: unknown, texts: JsonTexts): unknown {
  const outer = soleValue(texts.read(value));
  // SCIM-SDK puts the text of the object into a list.
  return soleValue(texts.read(outer));
}

function readTexts(attribute: Attribute, value: unknown, texts: JsonTexts): unknown {
  if (!isStructured(attribute)) return value;
  const given = texts.read(value);
  if (attribute.type !== 'complex') return given;
  return Array.isArray(given)
    ? given.map((item) => readParts(attribute, texts.read(item), texts))
    : readParts(attribute, given, texts);
}

/** Reads the texts in the parts of a complex value, such as the manager in an extension. */
function readParts(attribute: Attribute, value: unknown, texts: JsonTexts): unknown {
  if (!isJsonObject(value) || attribute.subAttributes?.some(isStructured) !== true) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const sub = subAttributeOf(attribute, name);
      return [name, sub === undefined ? part : readTexts(sub, part, texts)];
    }),
  );
}

/** Whether the attribute takes objects or lists. */
function isStructured({ type, multiValued }: Attribute): boolean {
  return type === 'complex' || multiValued;
}
