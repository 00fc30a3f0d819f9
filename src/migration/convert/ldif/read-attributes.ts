import { requireId } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { datesOf, type SourceDates } from '../values/dates.js';

/** Reads the attributes of an entry. Their names are in lower case. */
export interface Attributes {
  /** Takes all values. @throws ConversionError when one is no text */
  all(name: string): string[];
  /** Takes all values with the spaces at their ends. A blank one is none. @throws ConversionError when one is no text */
  exact(name: string): string[];
  /** Takes the first value. Further ones are lost. Without a value, takes that of the first language (RFC 3866). */
  one(name: string): string | undefined;
  /** Whether the first value is the word TRUE. */
  isTrue(name: string): boolean;
  /** Takes the dates of the entry. Those that an import would refuse are lost. */
  dates(): SourceDates;
  /** Takes the identifier that the server gave the entry. @throws ConversionError when an import would refuse it */
  id(): string | undefined;
}

/** OpenLDAP and others (RFC 4530), Active Directory, 389 Directory Server, FreeIPA. */
const identifiers = ['entryuuid', 'objectguid', 'nsuniqueid', 'ipauniqueid'];

export function readAttributes(source: SourceRecord): Attributes {
  const languages = source.names().filter((name) => name.includes(';lang-'));

  function exact(name: string): string[] {
    const value = source.take(name);
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.flatMap((one) => {
      if (typeof one !== 'string') throw new ConversionError(`${name} has a value that is no text in UTF-8`);
      return one.trim() === '' ? [] : [one];
    });
  }

  function all(name: string): string[] {
    return exact(name).map((text) => text.trim());
  }

  function one(name: string): string | undefined {
    const used =
      source.look(name) === undefined ? (languages.find((one) => one.startsWith(`${name};`)) ?? name) : name;
    const [first, ...others] = all(used);
    if (others.length > 0) source.loseAlso(used);
    return first;
  }

  function dates(): SourceDates {
    const nameOf = (...names: string[]) => names.find((name) => source.look(name) !== undefined) ?? '';
    const names = {
      created: nameOf('createtimestamp', 'whencreated'),
      lastModified: nameOf('modifytimestamp', 'whenchanged'),
    };
    const given = { created: one(names.created), lastModified: one(names.lastModified) };
    const accepted = datesOf(given, []);
    for (const name of ['created', 'lastModified'] as const) {
      if (given[name] !== undefined && accepted[name] === undefined) source.loseAlso(names[name]);
    }
    return given;
  }

  return {
    all,
    exact,
    one,
    dates,
    isTrue: (name) => one(name)?.toUpperCase() === 'TRUE',
    id() {
      const name = identifiers.find((given) => source.look(given) !== undefined);
      const id = name === undefined ? undefined : one(name);
      return id === undefined ? undefined : requireId(id);
    },
  };
}
