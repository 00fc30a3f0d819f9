import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { takeIdentities } from '../identities/take-identities.js';
import { type Explained, explain } from '../reading/explain.js';
import type { Problems } from '../reading/problems.js';
import type { SourceRecord } from '../reading/source-record.js';
import { applyMapping, type MappedPerson, pathOf, withIdentifier } from './apply-mapping.js';
import { LostFactors } from './lost-factors.js';
import type { ConvertedPerson, PeopleFormat } from './people-format.js';
import { type GivenMapping, type Mapping, noMapping } from './read-mapping.js';

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
    found: Pick<ConvertedPerson, 'record' | 'hasFactor' | 'passkeys'>,
    at: {
      readonly file: string;
      readonly line: number;
      readonly check: (record: HumanUserRecord) => void;
    },
  ): MappedPerson;
  /** Tells what the mapping names and no record has, and how many second factors do not come over. Call it when every loss is known. */
  tellUnused(): void;
}

/** The records that a report explains. */
const mostExplained = 3;

/** @param options `given`: the file of `--map`. `emailVerified`: every address is trusted, whatever the mapping says */
export function createPersonMapper(options: {
  readonly format: Pick<PeopleFormat, 'factors' | 'identities' | 'makesIdentifiers' | 'mapping'>;
  readonly files: readonly string[];
  readonly emailVerified: boolean;
  readonly given: GivenMapping | undefined;
  readonly problems: Problems;
}): PersonMapper {
  const { format, files, problems } = options;
  const { mapping, acceptedLosses } = options.given ?? {};
  const trusted = options.emailVerified ? ({ unverifiedEmail: 'trust' } as const) : {};
  const used = new Set<Mapping['entries'][number]>();
  const explained: Explained[] = [];
  const factors = new LostFactors();

  return {
    makesMetadata: mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true,
    isGiven: mapping !== undefined,
    explained,
    map(source, { record: foundRecord, hasFactor = false, passkeys = [] }, { check, ...place }) {
      const fields = source.look();
      const given = isJsonObject(fields) ? fields : {};
      const { entries, rules } = mapping ?? format.mapping?.(given) ?? noMapping;
      const mapped = applyMapping({ entries, rules: { ...rules, ...trusted } }, source, foundRecord);
      for (const entry of entries) if (source.look(...pathOf(entry, source)) !== undefined) used.add(entry);
      const links = format.identities === undefined ? [] : takeIdentities(source, format.identities);
      const needsId = format.makesIdentifiers || links.length > 0 || passkeys.length > 0;
      const identified =
        needsId && mapped.record.userId === undefined ? withIdentifier(mapped.record) : mapped.record;
      const record = factors.apply(identified, source, {
        hasFactor,
        paths: format.factors ?? [],
        rule: rules.secondFactors,
      });
      check(record);
      if (explained.length < mostExplained) explained.push(explain(given, record, place));
      return { ...mapped, record, links, passkeys };
    },
    tellUnused() {
      const tell = (message: string) =>
        problems.add({ severity: 'note', file: files.join(', '), line: 1, message });
      for (const { from } of mapping?.entries.filter((one) => !used.has(one)) ?? []) {
        tell(`the mapping names ${JSON.stringify(from)}, which no record has`);
      }
      const toldFactors = factors.told(mapping?.rules.secondFactors);
      if (toldFactors !== undefined) tell(toldFactors);
      for (const path of acceptedLosses?.unused() ?? []) {
        tell(`the mapping accepts the loss of ${JSON.stringify(path)}, and nothing was lost there`);
      }
    },
  };
}
