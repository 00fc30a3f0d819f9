import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { takeIdentities } from '../identities/take-identities.js';
import { type Explained, explain } from '../reading/explain.js';
import type { Problems } from '../reading/problems.js';
import type { SourceRecord } from '../reading/source-record.js';
import { applyMapping, type MappedPerson, withIdentifier } from './apply-mapping.js';
import { MappingUses } from './mapping-uses.js';
import type { PeopleFormat } from './people-format.js';
import { type GivenMapping, noMapping } from './read-mapping.js';

/** Maps the people of one conversion, and remembers what was mapped. */
export interface PersonMapper {
  /** Whether the mapping makes metadata. The body then has the form of an instance. */
  readonly makesMetadata: boolean;
  /** Whether the conversion has a mapping of its own. */
  readonly isGiven: boolean;
  /** The first records before and after, without their secrets. */
  readonly explained: readonly Explained[];
  /**
   * @param check throws a ConversionError if an import would refuse the record. A record that is refused explains nothing
   * @throws ConversionError when the mapping refuses the person
   */
  map(
    source: SourceRecord,
    found: HumanUserRecord,
    at: { readonly file: string; readonly line: number; readonly check: (record: HumanUserRecord) => void },
  ): MappedPerson;
  /** Tells what the mapping names and no record has. Call it when every loss is known. */
  tellUnused(): void;
}

/** The records that a report explains. */
const mostExplained = 3;

/** @param options `given`: the file of `--map`. `emailVerified`: every address is trusted, whatever the mapping says */
export function createPersonMapper(options: {
  readonly format: Pick<PeopleFormat, 'identities' | 'makesIdentifiers' | 'mapping'>;
  readonly files: readonly string[];
  readonly emailVerified: boolean;
  readonly given: GivenMapping | undefined;
  readonly problems: Problems;
}): PersonMapper {
  const { format, files, problems } = options;
  const { mapping, acceptedLosses } = options.given ?? {};
  const trusted = options.emailVerified ? ({ unverifiedEmail: 'trust' } as const) : {};
  const uses = new MappingUses(mapping?.entries ?? []);
  const explained: Explained[] = [];

  return {
    makesMetadata: mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true,
    isGiven: mapping !== undefined,
    explained,
    map(source, found, { check, ...place }) {
      const fields = source.look();
      const given = isJsonObject(fields) ? fields : {};
      uses.look(source);
      const { entries, rules } = mapping ?? format.mapping?.() ?? noMapping;
      const mapped = applyMapping({ entries, rules: { ...rules, ...trusted } }, source, found);
      const identities = format.identities === undefined ? [] : takeIdentities(source, format.identities);
      const record =
        (format.makesIdentifiers || identities.length > 0) && mapped.record.userId === undefined
          ? withIdentifier(mapped.record)
          : mapped.record;
      check(record);
      for (const message of mapped.notes ?? []) problems.add({ severity: 'note', ...place, message });
      if (explained.length < mostExplained) explained.push(explain(given, record, place));
      return { ...mapped, record, metadata: [...mapped.metadata, ...identities] };
    },
    tellUnused() {
      const tell = (message: string) =>
        problems.add({ severity: 'note', file: files.join(', '), line: 1, message });
      for (const path of uses.unused()) {
        tell(`the mapping names ${JSON.stringify(path)}, which no record has`);
      }
      for (const path of acceptedLosses?.unused() ?? []) {
        tell(`the mapping accepts the loss of ${JSON.stringify(path)}, and nothing was lost there`);
      }
    },
  };
}
