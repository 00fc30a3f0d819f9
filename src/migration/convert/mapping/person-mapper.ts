import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { takeIdentities } from '../identities/take-identities.js';
import { type Explained, explain } from '../reading/explain.js';
import type { Problems } from '../reading/problems.js';
import type { SourceRecord } from '../reading/source-record.js';
import type { MadeNames } from '../values/person-names.js';
import {
  applyMapping,
  type FoundPerson,
  type Identify,
  type MappedPerson,
  pathOf,
  usableHash,
  withIdentifier,
} from './apply-mapping.js';
import { pathsOfParts, stepsOfPart } from './hash-parts.js';
import { LostFactors } from './lost-factors.js';
import type { PeopleFormat } from './people-format.js';
import { allowsWithoutCredentials, type RuleFlags, rulesOfFlags } from './people-rules.js';
import { type GivenMapping, type Mapping, noMapping } from './read-mapping.js';
import { type StatedAttribute, statedBy } from './stated.js';

/** Maps the people of one conversion, and remembers what was mapped. */
export interface PersonMapper {
  /** Whether the mapping makes metadata. The body then has the form of an instance. */
  readonly makesMetadata: boolean;
  /** Whether active people may have neither a password nor a verified address. The import must be told so. */
  readonly allowsWithoutCredentials: boolean;
  /** A hash that is of no record yet, as it is stored. Undefined if a rule leaves it out. @throws ConversionError */
  usableHash(text: string): string | undefined;
  /** Whether the conversion has a mapping of its own. */
  readonly isGiven: boolean;
  /** The attributes that the source says of every person, as far as the records so far show. */
  stated(): string[];
  /** How many people have a name that a rule made, and which rule. Undefined if nobody has. */
  madeNames(): MadeNames | undefined;
  /** The first records before and after, without their secrets. */
  readonly explained: readonly Explained[];
  /**
   * @param check throws a ConversionError if an import would refuse the record. A record that is refused explains nothing. Its second
   * argument is `allowsWithoutCredentials`
   * @throws ConversionError when the mapping refuses the person
   */
  map(
    source: SourceRecord,
    found: FoundPerson,
    at: { readonly file: string; readonly line: number; readonly check: PersonCheck },
  ): MappedPerson;
  /** Tells what the mapping names and no record has, and how many second factors do not come over. Call it when every loss is known. */
  tellUnused(): void;
}

type PersonCheck = (record: HumanUserRecord, isAllowedWithoutCredentials: boolean) => void;

/** The targets whose values are secrets. */
const secretTargets: readonly string[] = ['password', 'passwordHash', 'otpSecret'];

/** The records that a report explains. */
const mostExplained = 3;

/** @param options `given`: the file of `--map` */
export function createPersonMapper(
  options: RuleFlags & {
    readonly format: Pick<PeopleFormat, 'factors' | 'identities' | 'makesIdentifiers' | 'mapping' | 'states'>;
    readonly files: readonly string[];
    readonly given: GivenMapping | undefined;
    readonly problems: Problems;
    readonly identify: Identify;
  },
): PersonMapper {
  const { format, files, problems, identify } = options;
  const { mapping, acceptedLosses } = options.given ?? {};
  const flags = rulesOfFlags(options);
  const allows = allowsWithoutCredentials({ ...mapping?.rules, ...flags });
  let people = 0;
  const stated = new Set<string>();
  let unseen = format.states ?? [];
  const see = (source: SourceRecord) => {
    const isSeen = ({ place }: StatedAttribute) => place === undefined || source.look(...place) !== undefined;
    const seen = unseen.filter(isSeen);
    if (seen.length === 0) return;
    for (const { path } of seen) stated.add(path);
    unseen = unseen.filter((one) => !seen.includes(one));
  };
  const used = new Set<Mapping['entries'][number] | string>();
  const explained: Explained[] = [];
  const parts = pathsOfParts(mapping?.passwordHash);
  const unseenParts = new Set(parts);
  const secretEntries = mapping?.entries.filter(({ to }) => secretTargets.includes(to)) ?? [];
  const factors = new LostFactors();

  return {
    makesMetadata: mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true,
    allowsWithoutCredentials: allows,
    usableHash: (text) => usableHash(text, { ...mapping?.rules, ...flags }),
    isGiven: mapping !== undefined,
    explained,
    stated: () => [...stated],
    madeNames: () => (people === 0 ? undefined : { people, rule: mapping?.rules.names ?? 'split' }),
    map(source, found, { check, ...place }) {
      const { hasFactor = false, passkeys = [] } = found;
      const fields = source.look();
      const given = isJsonObject(fields) ? fields : {};
      const chosen = mapping ?? format.mapping?.(given) ?? noMapping;
      const { entries, rules } = chosen;
      const mapped = applyMapping({ ...chosen, rules: { ...rules, ...flags } }, source, { found, identify });
      if (unseen.length > 0) see(source);
      for (const entry of entries) {
        // The mapping of a conversion without a file has other entries for each record.
        const key = mapping === undefined ? entry.to : entry;
        if (used.has(key) || source.look(...pathOf(entry, source)) === undefined) continue;
        used.add(key);
        const path = statedBy(entry.to);
        if (path !== undefined) stated.add(path);
      }
      const links = format.identities === undefined ? [] : takeIdentities(source, format.identities);
      const needsId = format.makesIdentifiers || links.length > 0 || passkeys.length > 0;
      const identified =
        needsId && mapped.record.userId === undefined
          ? withIdentifier(mapped.record, identify)
          : mapped.record;
      const record = factors.apply(identified, source, {
        hasFactor,
        paths: format.factors ?? [],
        rule: rules.secondFactors,
      });
      check(record, allows);
      if (mapped.hasMadeName) people++;
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
      return { ...mapped, record, links, passkeys };
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
      const toldFactors = factors.told(mapping?.rules.secondFactors);
      if (toldFactors !== undefined) tell(toldFactors);
      for (const path of acceptedLosses?.unused() ?? []) {
        tell(`the mapping accepts the loss of ${JSON.stringify(path)}, and nothing was lost there`);
      }
    },
  };
}

/** What the mapper decides about the body of the import. */
export function bodyFormOf({ makesMetadata, allowsWithoutCredentials }: PersonMapper) {
  return { isOfInstance: makesMetadata, allowsWithoutCredentials };
}
