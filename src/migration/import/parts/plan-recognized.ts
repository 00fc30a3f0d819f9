import { isJsonObject } from '#src/platform/json/json-object.js';
import { reservedName } from '../lists/section/reservations.js';
import type {
  Recognition,
  RecognizedKind,
  References,
  SectionContext,
  SectionPlan,
  TakenRecord,
} from '../lists/section/section.js';
import type { Alias, ImportResultsStore } from '../stores/import-results.store.js';
import type { ClaimedPart } from './claimed-part.js';

interface RecognizeDeps {
  readonly importResults: Pick<ImportResultsStore, 'findAliases'>;
}

type RecognizedPlan = SectionPlan & { readonly aliases?: readonly Alias[] };

/**
 * Plans the records of a section. If records fail because their identifier or name is taken, or because they refer to nothing, it looks
 * whether their objects have another identifier here, and plans them again under that. Other parts cost nothing more.
 */
export async function planRecognized(
  deps: RecognizeDeps,
  { section, details, part: { stagingId } }: ClaimedPart,
  records: readonly unknown[],
  context: SectionContext,
): Promise<RecognizedPlan> {
  const { recognition, references } = section;
  if (references !== undefined) {
    const resolve = (failed: readonly unknown[]) =>
      findAliases(deps, stagingId, { references, failed, context });
    const known = references.reachElsewhere
      ? referring(records, references, await resolve(records))
      : records;
    const plan = await section.plan(known, context);
    const failed = known.filter((_, at) => codeOf(plan, at) === 'REFERENCE-UNKNOWN');
    const aliases = await resolve(failed);
    return aliases.size === 0 ? plan : section.plan(referring(known, references, aliases), context);
  }
  const plan = await section.plan(records, context);
  if (recognition === undefined) return plan;
  const found = await recognize(recognition, {
    records,
    plan,
    orgId: context.orgId,
    started: details.created,
  });
  if (found.size === 0) return plan;
  const renamed = records.map((record, at) => {
    const id = found.get(at);
    return id === undefined || !isJsonObject(record) ? record : recognition.renamed(record, id);
  });
  const replanned = await section.plan(renamed, context);
  const outcomes = replanned.outcomes.map((outcome, at) => {
    const isOther = outcome.kind === 'failed' && found.has(at);
    // The caller knows the identifier of the file.
    return isOther ? { ...outcome, id: recognition.idOf(records[at]) ?? outcome.id } : outcome;
  });
  return {
    ...replanned,
    outcomes,
    aliases: aliasesOf(recognition, { records, found, orgId: context.orgId }),
  };
}

/** The identifiers that records should have, by the place of the record. */
async function recognize(
  recognition: Recognition,
  of: {
    readonly records: readonly unknown[];
    readonly plan: SectionPlan;
    readonly orgId: string;
    readonly started: Date;
  },
): Promise<Map<number, string>> {
  const taken: (TakenRecord & { readonly at: number })[] = [];
  for (const [at, value] of of.records.entries()) {
    const code = codeOf(of.plan, at);
    const isTaken = code === 'ID-TAKEN' || code === 'NAME-TAKEN';
    if (isTaken && recognition.idOf(value) !== undefined) taken.push({ value, code, at });
  }
  if (taken.length === 0) return new Map();
  const ids = await recognition.find(taken, of);
  return new Map(taken.flatMap(({ at }, index) => (ids[index] === undefined ? [] : [[at, ids[index]]])));
}

function aliasesOf(
  { kind, idOf }: Recognition,
  of: {
    readonly records: readonly unknown[];
    readonly found: ReadonlyMap<number, string>;
    readonly orgId: string;
  },
): Alias[] {
  return [...of.found].map(([at, id]) => ({
    name: reservedName.alias(of.orgId, { kind, id: idOf(of.records[at]) ?? '' }),
    id,
  }));
}

/** What earlier lists of the import call the objects that these records refer to. By the name of the alias. */
async function findAliases(
  { importResults }: RecognizeDeps,
  stagingId: string,
  of: {
    readonly references: References;
    readonly failed: readonly unknown[];
    readonly context: Pick<SectionContext, 'orgId'>;
  },
): Promise<Aliases> {
  const nameOf = (kind: RecognizedKind, id: string) => reservedName.alias(of.context.orgId, { kind, id });
  const names = of.failed.flatMap((record) =>
    Object.entries(of.references.names).flatMap(([property, kind]) => {
      const id = textAt(record, property);
      return id === undefined ? [] : [nameOf(kind, id)];
    }),
  );
  const found = await importResults.findAliases(stagingId, names);
  return { size: found.size, idOf: (kind, id) => found.get(nameOf(kind, id)) };
}

interface Aliases {
  readonly size: number;
  idOf(kind: RecognizedKind, id: string): string | undefined;
}

/** The records with the identifiers of the objects that they refer to. */
function referring(records: readonly unknown[], { names }: References, aliases: Aliases): readonly unknown[] {
  if (aliases.size === 0) return records;
  return records.map((record) => {
    if (!isJsonObject(record)) return record;
    const known = Object.entries(names).flatMap(([property, kind]) => {
      const id = textAt(record, property);
      const known = id === undefined ? undefined : aliases.idOf(kind, id);
      return known === undefined ? [] : [[property, known]];
    });
    return known.length === 0 ? record : { ...record, ...Object.fromEntries(known) };
  });
}

function codeOf({ outcomes }: SectionPlan, at: number) {
  const outcome = outcomes[at];
  return outcome?.kind === 'failed' ? outcome.code : undefined;
}

function textAt(record: unknown, property: string): string | undefined {
  const value = isJsonObject(record) && Object.hasOwn(record, property) ? record[property] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
