import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../format/human-user.record.js';
import { checkPerson } from './check-item.js';
import { type Explained, explain } from './explain.js';
import { type BodyOptions, type ImportBody, openImportBody } from './import-body.js';
import type { Losses } from './losses.js';
import { applyMapping, pathOf, withIdentifier } from './mapping/apply-mapping.js';
import { type Mapping, noMapping, readMapping } from './mapping/read-mapping.js';
import type { ConvertedPerson, PeopleFormat } from './people-format.js';
import { createPeopleLists, type PeopleLists } from './people-lists.js';
import type { Problems } from './problems.js';
import type { SourceRecord } from './source-record.js';

/** Writes the people of a conversion after their mapping, and counts them. */
export interface PeopleWriter {
  readonly body: ImportBody;
  readonly lists: PeopleLists;
  readonly counts: { readonly users: number; readonly withPassword: number };
  /** The first records before and after, without their secrets. */
  readonly explained: readonly Explained[];
  /**
   * Maps and writes a person.
   * @returns the record as it is written
   * @throws ConversionError when the mapping or the import refuses the person
   */
  add(
    source: SourceRecord,
    found: ConvertedPerson,
    place: { readonly file: string; readonly line: number },
  ): HumanUserRecord;
  /** Tells what the mapping names and no record has. */
  tellUnused(): void;
  close(): void;
}

export interface PeopleWriterOptions {
  readonly format: Pick<PeopleFormat, 'foldsNames' | 'makesIdentifiers' | 'mapping'>;
  readonly files: readonly string[];
  readonly emailVerified: boolean;
  /** The text of a mapping. */
  readonly map?: string | undefined;
  readonly problems: Problems;
  readonly losses: Losses;
}

/** The records that a report explains. */
const mostExplained = 3;

/** @throws StartError when the mapping cannot be read, or the output cannot be written */
export function createPeopleWriter(options: PeopleWriterOptions, output: BodyOptions): PeopleWriter {
  const { format, files, problems, losses } = options;
  const mapping = options.map === undefined ? undefined : readMapping(options.map, format);
  const trusted = options.emailVerified ? ({ unverifiedEmail: 'trust' } as const) : {};
  const isOfInstance = mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true;
  const body = openImportBody({ ...output, isOfInstance }, files);
  const lists = createPeopleLists(body);
  const counts = { users: 0, withPassword: 0 };
  const used = new Set<Mapping['entries'][number]>();
  const explained: Explained[] = [];

  return {
    body,
    lists,
    counts,
    explained,
    add(source, found, place) {
      const fields = source.look();
      const given = isJsonObject(fields) ? fields : {};
      const { entries, rules } = mapping ?? format.mapping?.(given) ?? noMapping;
      const mapped = applyMapping({ entries, rules: { ...rules, ...trusted } }, source, found.record);
      for (const entry of entries) if (source.look(...pathOf(entry, source)) !== undefined) used.add(entry);
      const { groups, metadata } = mapped;
      const record =
        format.makesIdentifiers && mapped.record.userId === undefined
          ? withIdentifier(mapped.record)
          : mapped.record;
      checkPerson(record);
      if (explained.length < mostExplained) explained.push(explain(given, record, place));
      lists.add({ record, groups, metadata });
      for (const message of found.notes) problems.add({ severity: 'note', ...place, message });
      losses.add(source.lost(), place);
      body.add(JSON.stringify(record));
      counts.users++;
      const { hashedPassword, password } = record.user;
      if (hashedPassword !== undefined || password !== undefined) counts.withPassword++;
      return record;
    },
    tellUnused() {
      for (const entry of mapping?.entries.filter((one) => !used.has(one)) ?? []) {
        const message = `the mapping names ${JSON.stringify(entry.from)}, which no record has`;
        problems.add({ severity: 'note', file: files.join(', '), line: 1, message });
      }
    },
    close() {
      lists.close();
      body.close();
    },
  };
}
