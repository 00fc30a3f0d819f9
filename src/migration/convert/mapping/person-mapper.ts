import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { takeIdentities } from '../identities/take-identities.js';
import { type Explained, explain } from '../reading/explain.js';
import type { Problems } from '../reading/problems.js';
import type { SourceRecord } from '../reading/source-record.js';
import { applyMapping, type MappedPerson, pathOf, withIdentifier } from './apply-mapping.js';
import { pathsOfParts, stepsOfPart } from './hash-parts.js';
import type { PeopleFormat } from './people-format.js';
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
    found: HumanUserRecord,
    at: { readonly file: string; readonly line: number; readonly check: (record: HumanUserRecord) => void },
  ): MappedPerson;
  /** Tells what the mapping names and no record has. Call it when every loss is known. */
  tellUnused(): void;
}

/** The targets whose values are secrets. */
const secretTargets: readonly string[] = ['password', 'passwordHash', 'otpSecret'];

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
  const used = new Set<Mapping['entries'][number]>();
  const explained: Explained[] = [];
  const parts = pathsOfParts(mapping?.passwordHash);
  const unseenParts = new Set(parts);
  const secretEntries = mapping?.entries.filter(({ to }) => secretTargets.includes(to)) ?? [];

  return {
    makesMetadata: mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true,
    isGiven: mapping !== undefined,
    explained,
    map(source, found, { check, ...place }) {
      const fields = source.look();
      const given = isJsonObject(fields) ? fields : {};
      const own = mapping ?? format.mapping?.(given) ?? noMapping;
      const { entries, rules } = own;
      const mapped = applyMapping({ ...own, rules: { ...rules, ...trusted } }, source, found);
      for (const entry of entries) if (source.look(...pathOf(entry, source)) !== undefined) used.add(entry);
      const identities = format.identities === undefined ? [] : takeIdentities(source, format.identities);
      const record =
        (format.makesIdentifiers || identities.length > 0) && mapped.record.userId === undefined
          ? withIdentifier(mapped.record)
          : mapped.record;
      check(record);
      for (const from of unseenParts) {
        if (source.look(...stepsOfPart(from, source)) !== undefined) unseenParts.delete(from);
      }
      if (explained.length < mostExplained) {
        const paths = [
          ...parts.map((from) => stepsOfPart(from, source)),
          ...secretEntries.map((entry) => pathOf(entry, source)),
        ];
        const secrets = paths.map((steps) => source.look(...steps));
        explained.push(explain(given, record, place, secrets));
      }
      return { ...mapped, record, metadata: [...mapped.metadata, ...identities] };
    },
    tellUnused() {
      const tell = (message: string) =>
        problems.add({ severity: 'note', file: files.join(', '), line: 1, message });
      for (const { from } of mapping?.entries.filter((one) => !used.has(one)) ?? []) {
        tell(`the mapping names ${JSON.stringify(from)}, which no record has`);
      }
      for (const from of unseenParts) {
        tell(`the mapping names ${JSON.stringify(from)}, which no record has`);
      }
      for (const path of acceptedLosses?.unused() ?? []) {
        tell(`the mapping accepts the loss of ${JSON.stringify(path)}, and nothing was lost there`);
      }
    },
  };
}
