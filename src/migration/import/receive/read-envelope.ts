import { AppError } from '#src/platform/errors.js';
import { parseDuration } from '../../duration.js';
import { statableAttributes } from '../../format/stated-attributes.js';
import { importErrors } from '../lists/section/import-codes.js';
import type { CredentialRules, ImportForm } from '../lists/section/section.js';
import {
  checkObject,
  type ImportObject,
  namesObject,
  type ObjectSources,
  requirePublicObject,
  toImportObject,
} from './import-object.js';
import type { StagedImport } from './stage-import.js';

/** What the body of an import says beside its data. */
export interface ImportEnvelope extends CredentialRules {
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly update: boolean;
  /** Whether a verification names what the file does not have. */
  readonly listExtra: boolean;
  /** See `statableAttributes`. */
  readonly statedAttributes?: readonly string[];
  readonly form: ImportForm;
  /** Where the data lies, if not in the body. */
  readonly object?: ImportObject;
}

/**
 * Reads the properties of a staged body.
 * @param purpose `verifies`: the body is that of a verification, which is always dry. `isConfined`: an owner of an organization asks
 * @throws AppError `import.bodyMalformed`, `import.timeoutInvalid`, `import.dataMissing`, and those of {@link checkObject} and {@link requirePublicObject}
 */
export function readEnvelope(
  sources: ObjectSources,
  { properties, dataKeys, form }: Pick<StagedImport, 'properties' | 'dataKeys' | 'form'>,
  { verifies = false, isConfined = false }: { verifies?: boolean; isConfined?: boolean } = {},
): ImportEnvelope {
  // Exporters write null for absent values.
  const present = [...properties].filter(([, value]) => value !== null);
  const flagNames = ['dryRun', 'strict', 'update', ...(verifies ? ['listExtra'] : [])];
  const flags = Object.fromEntries(present.filter(([name]) => flagNames.includes(name)));
  const { timeout, unreadableHashes, withoutCredentials, statedAttributes, ...others } = Object.fromEntries(
    present.filter(([name]) => !flagNames.includes(name)),
  );
  for (const key of Object.keys(others)) {
    if (namesObject(key)) continue;
    throw new AppError(importErrors.bodyMalformed, { detail: `There is no property ${JSON.stringify(key)}` });
  }
  const timeoutMs = typeof timeout === 'string' ? parseDuration(timeout) : undefined;
  if (timeoutMs === undefined) throw new AppError(importErrors.timeoutInvalid);
  for (const [key, value] of Object.entries(flags)) {
    if (typeof value === 'boolean') continue;
    throw new AppError(importErrors.bodyMalformed, { detail: `${key} is not true or false` });
  }
  const given = [...dataKeys, ...Object.keys(others)];
  if (given.length !== 1) throw new AppError(importErrors.dataMissing);
  const isSet = (name: string) => flags[name] === true;
  // A verification compares what an import would add, so nothing is updated.
  const envelope = {
    timeoutMs,
    dryRun: verifies || isSet('dryRun'),
    strict: isSet('strict'),
    update: !verifies && isSet('update'),
    listExtra: isSet('listExtra'),
    ...credentialRules({ unreadableHashes, withoutCredentials }),
    ...(statedAttributes !== undefined && { statedAttributes: requireStated(statedAttributes) }),
  };
  if (form !== undefined) return { ...envelope, form };
  const [key = ''] = given;
  const named = toImportObject(key, others[key]);
  if (typeof named === 'string')
    throw new AppError(importErrors.bodyMalformed, { detail: `${key} is not ${named}` });
  if (isConfined) requirePublicObject(sources, named.object);
  checkObject(sources, named.object);
  return { ...envelope, ...named };
}

/** @throws AppError `import.bodyMalformed` for another word */
function credentialRules(given: {
  readonly unreadableHashes: unknown;
  readonly withoutCredentials: unknown;
}): CredentialRules {
  const { unreadableHashes, withoutCredentials } = given;
  return {
    ...(unreadableHashes !== undefined && {
      unreadableHashes: oneOf(['refuse', 'drop'], { name: 'unreadableHashes', value: unreadableHashes }),
    }),
    ...(withoutCredentials !== undefined && {
      withoutCredentials: oneOf(['refuse', 'allow'], {
        name: 'withoutCredentials',
        value: withoutCredentials,
      }),
    }),
  };
}

/** @throws AppError `import.bodyMalformed` */
function requireStated(given: unknown): string[] {
  const names = new Set<unknown>(
    Array.isArray(given) && given.length <= statableAttributes.length ? given : [''],
  );
  const known = statableAttributes.filter((name) => names.has(name));
  if (known.length === names.size) return known;
  const detail = `statedAttributes is not a list of attributes. They are ${statableAttributes.join(', ')}`;
  throw new AppError(importErrors.bodyMalformed, { detail });
}

function oneOf<Word extends string>(
  words: readonly Word[],
  { name, value }: { readonly name: string; readonly value: unknown },
): Word {
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  throw new AppError(importErrors.bodyMalformed, { detail: `${name} is not ${words.join(' or ')}` });
}
