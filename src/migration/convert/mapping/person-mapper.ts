import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { takeIdentities } from '../identities/take-identities.js';
import { type Explained, explain } from '../reading/explain.js';
import type { Problems } from '../reading/problems.js';
import { SourceRecord } from '../reading/source-record.js';
import type { MadeNames } from '../values/person-names.js';
import {
  applyMapping,
  type FoundPerson,
  type Identify,
  type MappedPerson,
  withIdentifier,
} from './apply-mapping.js';
import { pathsOfParts } from './hash-parts.js';
import { LostFactors } from './lost-factors.js';
import { MappingUses } from './mapping-uses.js';
import { usableHash } from './password-rules.js';
import type { PeopleFormat } from './people-format.js';
import { allowsWithoutCredentials, type RuleFlags, rulesOfFlags } from './people-rules.js';
import { type GivenMapping, type Mapping, noMapping } from './read-mapping.js';
import { RecordReader } from './record-reader.js';
import type { SourcePath } from './source-path.js';
import type { DraftUser } from './targets.js';

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
  /** How many people have a second factor that sign-ins here do not ask for. */
  lostFactors(): number;
  /** The first records before and after, without their secrets. */
  readonly explained: readonly Explained[];
  /** A record before and after, without what the mapping takes as secrets. */
  explain(source: SourceRecord, record: HumanUserRecord, place: Place): Explained;
  /**
   * @param check throws a ConversionError if an import would refuse the record. A record that is refused explains nothing. Its second
   * argument is `allowsWithoutCredentials`
   * @throws ConversionError when the mapping refuses the person
   */
  map(source: SourceRecord, found: FoundPerson, at: Place & { readonly check: PersonCheck }): MappedPerson;
  /** Tells what the mapping names and no record has, and how many second factors do not come over. Call it when every loss is known. */
  tellUnused(): void;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

type PersonCheck = (record: HumanUserRecord, isAllowedWithoutCredentials: boolean) => void;

/** The targets whose values are secrets. */
const secretTargets: readonly string[] = ['password', 'passwordHash', 'otpSecret'];

/** The records that a report explains. */
const mostExplained = 3;

/** What a conversion does with each record. */
interface Engine {
  readonly mapping: Mapping;
  readonly uses: MappingUses;
  /** Where records have secrets. */
  readonly secrets: readonly SourcePath[];
}

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
  const explained: Explained[] = [];
  const factors = new LostFactors();
  let people = 0;
  let numbered = 0;
  let known: Engine | undefined;

  /** A guessed mapping is known with the first record. */
  function engine(): Engine {
    known ??= engineOf(mapping ?? format.mapping?.() ?? noMapping);
    return known;
  }
  function engineOf(chosen: Mapping): Engine {
    const ofSecrets = chosen.entries.filter(({ to }) => secretTargets.includes(to));
    return {
      mapping: { ...chosen, rules: { ...chosen.rules, ...flags } },
      uses: new MappingUses(chosen, format.states),
      secrets: [...ofSecrets.flatMap(({ paths }) => paths), ...pathsOfParts(chosen.passwordHash)],
    };
  }
  function explainRecord(source: SourceRecord, record: HumanUserRecord, { file, line }: Place): Explained {
    const fields = source.look();
    const before = isJsonObject(fields) ? fields : {};
    // Looking at a secret takes nothing of the record.
    const reader = new RecordReader(new SourceRecord(before));
    const secrets = engine().secrets.flatMap((path) => reader.values(path));
    return explain(before, record, { file, line }, secrets);
  }

  return {
    makesMetadata: mapping?.entries.some(({ to }) => to.startsWith('metadata:')) === true,
    allowsWithoutCredentials: allows,
    usableHash: (text) => usableHash(text, { ...mapping?.rules, ...flags }),
    isGiven: mapping !== undefined,
    explained,
    explain: explainRecord,
    stated: () => engine().uses.stated(),
    lostFactors: () => factors.count,
    madeNames: () => (people === 0 ? undefined : { people, rule: mapping?.rules.names ?? 'split' }),
    map(source, found, { check, file, line }) {
      const { hasFactor = false, passkeys = [] } = found;
      const { mapping: chosen, uses } = engine();
      uses.look(source);
      const beforePasswords = (user: DraftUser) => {
        const given = { hasFactor, paths: format.factors ?? [], rule: chosen.rules.secondFactors };
        factors.apply(user, source, given);
      };
      const mapped = applyMapping(chosen, source, { found, identify, beforePasswords });
      const links = format.identities === undefined ? [] : takeIdentities(source, format.identities);
      const needsId = format.makesIdentifiers || links.length > 0 || passkeys.length > 0;
      const record =
        needsId && mapped.record.userId === undefined
          ? withIdentifier(mapped.record, identify)
          : mapped.record;
      check(record, allows);
      if (mapped.record.userId !== undefined && ownNumber.test(mapped.record.userId)) numbered++;
      if (mapped.hasMadeName) people++;
      const { groups, metadata, notes = [], hasMadeName = false } = mapped;
      for (const message of notes) problems.add({ severity: 'note', file, line, message });
      if (explained.length < mostExplained) explained.push(explainRecord(source, record, { file, line }));
      // Properties behind a spread cost a microsecond each.
      return { record, groups, metadata, notes, hasMadeName, links, passkeys };
    },
    tellUnused() {
      const tell = (message: string) =>
        problems.add({ severity: 'note', file: files.join(', '), line: 1, message });
      for (const path of mapping === undefined ? [] : engine().uses.unused()) {
        tell(`the mapping names ${JSON.stringify(path)}, which no record has`);
      }
      const toldFactors = factors.told(flags.secondFactors ?? mapping?.rules.secondFactors);
      if (toldFactors !== undefined) tell(toldFactors);
      if (numbered > 0 && mapping?.entries.some(({ to }) => to === 'id')) tell(toldNumbers(numbered));
      for (const path of acceptedLosses?.unused() ?? []) {
        tell(`the mapping accepts the loss of ${JSON.stringify(path)}, and nothing was lost there`);
      }
    },
  };
}

/** A number that other systems give to their people too. */
const ownNumber = /^\d{1,15}$/;

function toldNumbers(count: number): string {
  return `the identifiers of ${count} people are numbers. Identifiers are of the whole instance, so another organization may have the same numbers: write "externalId" instead of "id", and each person gets an identifier of the organization`;
}

/** What the mapper decides about the body of the import. */
export function bodyFormOf({ makesMetadata, allowsWithoutCredentials }: PersonMapper) {
  return { isOfInstance: makesMetadata, allowsWithoutCredentials };
}
