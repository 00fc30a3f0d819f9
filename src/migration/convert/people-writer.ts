import type { HumanUserRecord } from '../format/human-user.record.js';
import { personIdentifier } from '../format/made-identifiers.js';
import { type BodyOptions, type ImportBody, openImportBody } from './import-body.js';
import type { Losses } from './losses.js';
import type { ConvertedPerson, PeopleFormat } from './mapping/people-format.js';
import type { RuleFlags } from './mapping/people-rules.js';
import { bodyFormOf, createPersonMapper, type PersonMapper } from './mapping/person-mapper.js';
import type { GivenMapping } from './mapping/read-mapping.js';
import { createPeopleLists, type PeopleLists } from './people-lists.js';
import { checkPerson } from './reading/check-item.js';
import type { Explained } from './reading/explain.js';
import type { Problems } from './reading/problems.js';
import type { SourceRecord } from './reading/source-record.js';

/** Writes the people of a conversion after their mapping, and counts them. */
interface PeopleWriter {
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
  readonly madeNames: PersonMapper['madeNames'];
  readonly lostFactors: PersonMapper['lostFactors'];
  readonly stated: PersonMapper['stated'];
  /** Tells what the mapping names and no record has. Call it when every loss is known. */
  tellUnused(): void;
  close(): void;
}

interface PeopleWriterOptions extends RuleFlags {
  readonly format: Pick<PeopleFormat, 'factors' | 'identities' | 'makesIdentifiers' | 'mapping' | 'states'>;
  readonly files: readonly string[];
  /** The file of `--map`. */
  readonly given: GivenMapping | undefined;
  readonly problems: Problems;
  readonly losses: Losses;
}

/** @throws StartError when the output cannot be written */
export function createPeopleWriter(options: PeopleWriterOptions, output: BodyOptions): PeopleWriter {
  const { files, problems, losses } = options;
  const { orgId } = output;
  const identify = (name: string) => personIdentifier({ orgId, name });
  const mapper = createPersonMapper({ ...options, identify });
  const body = openImportBody({ ...output, ...bodyFormOf(mapper) }, files);
  const lists = createPeopleLists(body, orgId);
  const counts = { users: 0, withPassword: 0 };

  return {
    body,
    lists,
    counts,
    explained: mapper.explained,
    madeNames: mapper.madeNames,
    lostFactors: mapper.lostFactors,
    stated: mapper.stated,
    add(source, found, place) {
      const { file, line } = place;
      const mapped = mapper.map(source, found, { file, line, check: checkPerson });
      const { record } = mapped;
      lists.add(mapped);
      for (const message of found.notes) problems.add({ severity: 'note', ...place, message });
      losses.add(source.lost(), place);
      body.add(JSON.stringify(record));
      counts.users++;
      const { hashedPassword, password } = record.user;
      if (hashedPassword !== undefined || password !== undefined) counts.withPassword++;
      return record;
    },
    tellUnused: mapper.tellUnused,
    close() {
      lists.close();
      body.close();
    },
  };
}
