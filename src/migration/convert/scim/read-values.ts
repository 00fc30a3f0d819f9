import type { JsonObject } from '#src/platform/json/json-object.js';
import { flagIn, isEmpty, type SourceRecord } from '../reading/source-record.js';

/** The lists of RFC 7643 section 4.1.2 that an import takes. */
type List = 'emails' | 'phoneNumbers' | 'ims' | 'photos' | 'addresses' | 'roles' | 'entitlements';

/** An item of a list, as an import takes it. */
export interface ListedValue {
  readonly value?: string;
  readonly primary?: boolean;
  readonly [part: string]: string | boolean | undefined;
}

const ofAddress = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'];
/** An import takes no longer list. */
const mostItems = 100;

/** Takes a list of a user. At most one item is the primary one. Parts and items that an import does not take are lost. */
export function readValues(source: SourceRecord, list: List): ListedValue[] {
  const isAddress = list === 'addresses';
  const required = isAddress ? ofAddress : ['value'];
  const parts = [...required, 'type', 'display'];
  const items = source.items([list], [...parts, 'primary', '$ref']);
  const whole = items.filter((item) => required.some((part) => textIn(item, part) !== undefined));
  const others = items.filter((item) => !whole.includes(item));
  if (whole.length > mostItems || others.some((item) => Object.keys(item).length > 0))
    source.loseAlso(`${list}[]`);
  // Some servers write it as a text.
  if (items.some((item) => !isEmpty(item['primary']) && flagIn(item['primary']) === undefined))
    source.loseAlso(`${list}[].primary`);
  const primary = whole.find((item) => flagIn(item['primary']) === true);
  return whole.slice(0, mostItems).map((item) => ({
    ...Object.fromEntries(
      parts.flatMap((part) => {
        const text = textIn(item, part);
        return text === undefined ? [] : [[part, text] as const];
      }),
    ),
    ...(flagIn(item['primary']) !== undefined && { primary: item === primary }),
  }));
}

function textIn(item: JsonObject, part: string): string | undefined {
  const value = item[part];
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}
