import { maxRecordBytes } from '../../format/record-size.js';
import { type InputText, withInputText } from '../../text/input-text.js';
import type { RowSource } from '../csv/each-row.js';
import type { SourceVisitor } from '../mapping/people-format.js';
import { InputError } from '../reading/conversion-problems.js';
import { eachLine } from '../reading/each-line.js';
import { ConversionError, parseFields } from '../reading/read-fields.js';
import { eachItem } from './each-item.js';
import { type JsonShape, jsonShape, ShapeError } from './json-shape.js';

/** The member that a record of an object of objects gets: its name there. A mapping has it as `$key`. */
const keyMember = '$key';

/**
 * Visits the objects of a JSON file of any system. They are in an array, in an object of objects, or one on each line. The array or the object
 * may be under a key.
 * @param options `at`: the path of the array or object, such as `data.users`; found by the beginning of the file if absent. `passed` gets the
 *   names of what stands beside
 * @throws StartError when the file cannot be read, or has no such array or object
 */
export async function visitJson(
  source: Omit<RowSource, 'columns'>,
  visitor: Pick<SourceVisitor, 'person'>,
  {
    at,
    passed,
  }: { readonly at: string | undefined; readonly passed: (member: string, line: number) => void },
): Promise<void> {
  await withInputText(source, async (text) => {
    const open = { ...source, text };
    const shape: JsonShape =
      at === undefined ? await shapeOf(source.path, text) : { kind: 'items', at: at.split('.') };
    if (shape.kind === 'lines') {
      await eachLine(open, (line, number) => visitor.person(() => parseFields(line), number));
      return;
    }
    await eachItem(
      { ...open, at: shape.at, isSequence: shape.kind === 'sequence', passed },
      (item, line, key) =>
        visitor.person(() => (key === undefined ? parseFields(item) : withKey(parseFields(item), key)), line),
    );
  });
}

function withKey(fields: ReturnType<typeof parseFields>, key: string) {
  if (Object.hasOwn(fields, keyMember)) throw new ConversionError('reservedMember', { name: keyMember });
  return { [keyMember]: key, ...fields };
}

async function shapeOf(path: string, text: InputText): Promise<JsonShape> {
  const head = await text.beginning(maxRecordBytes);
  try {
    return jsonShape(head);
  } catch (error) {
    throw error instanceof ShapeError ? new InputError('noList', `${path} ${error.message}`) : error;
  }
}
