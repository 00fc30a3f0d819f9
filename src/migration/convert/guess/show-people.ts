import type { JsonObject } from '#src/platform/json/json-object.js';
import { createPersonMapper } from '../mapping/person-mapper.js';
import { readMapping } from '../mapping/read-mapping.js';
import { csv } from '../people/csv.js';
import { checkPerson } from '../reading/check-item.js';
import { explain } from '../reading/explain.js';
import { createProblems } from '../reading/problems.js';
import { ConversionError } from '../reading/read-fields.js';
import { SourceRecord } from '../reading/source-record.js';

/** A person before and after a mapping. Passwords, hashes and other secrets are masked. */
export interface ShownPerson {
  /** The record or row. */
  readonly before: unknown;
  /** What an import would get. Undefined if the person would be refused. */
  readonly after?: unknown;
  /** Why the person would be refused. It quotes no secret. */
  readonly error?: string;
  /** The paths whose values reach nothing. */
  readonly lost: readonly string[];
}

const mostPeople = 3;

/**
 * Shows what a mapping makes of the first three records, as `muster convert --explain` does. It changes and writes nothing.
 * @param records rows by the names of their columns, or JSON records
 * @param options `map`: the text of a file for `--map`. `orgId`: the organization that would get the people
 * @throws StartError when the text is no mapping
 */
export function showPeople(
  records: readonly JsonObject[],
  options: { readonly map: string; readonly orgId: string; readonly emailVerified?: boolean },
): ShownPerson[] {
  const given = readMapping(options);
  const mapperOptions = {
    ...{ orgId: options.orgId, emailVerified: options.emailVerified === true, format: csv },
    ...{ files: [], given, problems: createProblems() },
  };
  const mapper = createPersonMapper(mapperOptions);
  return records.slice(0, mostPeople).map((fields, index) => {
    const source = new SourceRecord(fields);
    const place = { file: '', line: index + 1 };
    try {
      const { record } = mapper.map(source, { user: { userName: '' } }, { ...place, check: checkPerson });
      const { before, after } = explain(fields, record, place);
      return { before, after, lost: [...source.lost()] };
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const { before } = explain(fields, { user: { userName: '' } }, place);
      return { before, error: error.message, lost: [] };
    }
  });
}
