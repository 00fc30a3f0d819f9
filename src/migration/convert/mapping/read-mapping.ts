import { StartError } from '#src/platform/start-error.js';
import { createShapeCheck } from '../../format/check-shape.js';
import { type AcceptedLosses, acceptLosses } from './accepted-losses.js';
import { withFoldedPaths } from './hash-parts.js';
import { type MappingEntry, type MappingFile, type MappingRules, mappingSchema } from './mapping-schema.js';
import { lists, targetNames } from './targets.js';

/** A mapping that was checked. */
export interface Mapping {
  readonly entries: readonly (MappingEntry & { readonly path: readonly string[] })[];
  readonly rules: MappingRules;
  /** The parts of a password hash. */
  readonly passwordHash?: MappingFile['passwordHash'] | undefined;
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
  const { attributes, rules, acceptedLosses, passwordHash } = parse(map);
  const isOfLosses =
    attributes === undefined &&
    rules === undefined &&
    passwordHash === undefined &&
    acceptedLosses !== undefined;
  return {
    mapping: isOfLosses ? undefined : toMapping({ attributes, rules, passwordHash }, foldsNames),
    acceptedLosses: acceptLosses(acceptedLosses ?? [], { foldsNames }),
  };
}

function toMapping(
  file: {
    readonly attributes: MappingFile['attributes'] | undefined;
    readonly rules: MappingFile['rules'] | undefined;
    readonly passwordHash: MappingFile['passwordHash'];
  },
  foldsNames: boolean,
): Mapping {
  const { attributes: given = [], rules = {}, passwordHash } = file;
  const attributes = foldsNames
    ? given.map(({ from, ...entry }) => ({ ...entry, from: folded(from) }))
    : given;
  const targets = attributes.map(({ to }) => to).filter((to) => !isList(to));
  const twice = targets.find((to, place) => targets.indexOf(to) < place);
  if (twice !== undefined) throw new StartError(`--map: two attributes have the target ${twice}`);
  const separated = attributes.find(({ to, separator }) => separator !== undefined && !isList(to));
  if (separated !== undefined)
    throw new StartError(`--map: ${separated.to} takes one value, so it has no separator`);
  return {
    entries: attributes.map((entry) => ({
      ...entry,
      path: typeof entry.from === 'string' ? entry.from.split('.') : entry.from,
    })),
    rules,
    passwordHash: passwordHash && (foldsNames ? withFoldedPaths(passwordHash) : passwordHash),
  };
}

/** Changes nothing, and refuses passwords in plain text. */
export const noClearPasswords: Mapping = { entries: [], rules: {} };

/** Changes nothing, and leaves passwords in plain text to the rules of the organization. */
export const noMapping: Mapping = { entries: [], rules: { clearPasswords: 'check' } };

/** The mapping of a table: the columns with the names of targets. */
export function mappingOfColumns(columns: readonly string[]): Mapping {
  const entries = columns
    .filter((name) => targetNames.includes(name))
    .map((name) => ({ from: name, to: name, path: [name], ...(isList(name) && { separator: ';' }) }));
  return { entries, rules: {} };
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

function folded(from: MappingEntry['from']): MappingEntry['from'] {
  return typeof from === 'string' ? from.toLowerCase() : from.map((part) => part.toLowerCase());
}

function isList(target: string): boolean {
  return lists.some((list) => list === target);
}
