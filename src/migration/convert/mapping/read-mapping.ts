import { StartError } from '#src/platform/start-error.js';
import { createShapeCheck } from '../../format/check-shape.js';
import { type AcceptedLosses, acceptLosses } from './accepted-losses.js';
import { type MappedHash, readHashParts } from './hash-parts.js';
import { type MappingAttribute, readAttribute } from './mapping-attribute.js';
import { type MappingFile, type MappingRules, mappingSchema } from './mapping-schema.js';
import { type GivenPath, readPath } from './source-path.js';

/** A mapping that was checked. */
export interface Mapping {
  readonly entries: readonly MappingAttribute[];
  readonly rules: MappingRules;
  /** The parts of a password hash. */
  readonly passwordHash?: MappedHash | undefined;
}

/** The file of `--map`. */
export interface GivenMapping {
  /** Undefined if the file only accepts losses. The mapping is then that of a conversion without a file. */
  readonly mapping: Mapping | undefined;
  readonly acceptedLosses: AcceptedLosses;
}

const maxLength = 1024 * 1024;
const check = createShapeCheck(mappingSchema);

/**
 * Reads the file of `--map`. A mapping names only values of the source, never its own results, so it has no loops. It has no regular
 * expressions.
 * @param input `map`: the text of the file. Absent for a conversion without one
 * @param options `foldsNames` if the letter case of a path means nothing
 * @throws StartError when it is not a mapping, or two attributes have one target that takes one value
 */
export function readMapping(
  { map }: { readonly map?: string | undefined },
  { foldsNames = false }: { readonly foldsNames?: boolean } = {},
): GivenMapping | undefined {
  if (map === undefined) return undefined;
  const { acceptedLosses, attributes, rules, passwordHash } = parse(map);
  const given = [attributes, rules, passwordHash];
  const isOfLosses = acceptedLosses !== undefined && given.every((one) => one === undefined);
  return {
    mapping: isOfLosses ? undefined : toMapping({ attributes, rules, passwordHash }, foldsNames),
    acceptedLosses: acceptLosses(acceptedLosses ?? [], { foldsNames }),
  };
}

function toMapping(
  file: {
    readonly attributes: MappingFile['attributes'] | undefined;
    readonly rules: MappingFile['rules'] | undefined;
    readonly passwordHash?: MappingFile['passwordHash'] | undefined;
  },
  foldsNames: boolean,
): Mapping {
  const { attributes = [], rules = {}, passwordHash } = file;
  const fold = foldsNames ? folded : (from: GivenPath) => from;
  const entries = attributes.map((entry) => readAttribute(entry, fold));
  const last = new Map(entries.map((entry) => [entry.to, entry]));
  const twice = entries.find(
    (entry) => entry.isSingle && !entry.isConditional && last.get(entry.to) !== entry,
  );
  if (twice !== undefined)
    throw new StartError(
      `--map: two attributes have the target ${twice.to}. All but the last of them need "when"`,
    );
  return {
    entries,
    rules,
    ...(passwordHash && { passwordHash: readHashParts(passwordHash, (from) => readPath(fold(from))) }),
  };
}

/** Changes nothing, and leaves passwords in plain text to the rules of the organization. */
export const noMapping: Mapping = { entries: [], rules: {} };

/** Returns a mapping that was made by the program. */
export function mappingOf({
  attributes,
  rules,
  passwordHash,
}: Pick<MappingFile, 'attributes' | 'rules' | 'passwordHash'>): Mapping {
  return toMapping({ attributes, rules, passwordHash }, false);
}

function parse(text: string): MappingFile {
  if (text.length > maxLength) throw new StartError(`--map is longer than ${maxLength} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new StartError('--map is not JSON');
  }
  const checked = check(value);
  if ('fault' in checked) throw new StartError(`--map is no mapping: ${checked.fault}`);
  return checked.record;
}

function folded(from: GivenPath): GivenPath {
  return typeof from === 'string' ? from.toLowerCase() : from.map((part) => part.toLowerCase());
}
