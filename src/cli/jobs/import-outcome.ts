import { isJsonObject } from '#src/platform/json/json-object.js';

/** What became of the records of an import. */
export interface ImportOutcome {
  readonly created: number;
  /** Only of an import that updates. */
  readonly updated?: number;
  readonly skipped: number;
  readonly failed: number;
  readonly total: number;
  /** The values that the import had no use for. */
  readonly warnings: readonly Warning[];
}

export interface Warning {
  readonly path: string;
  readonly count: number;
  readonly line?: number;
}

/** Reads the result of the job of an import. What it does not have counts as none. */
export function outcomeOf(result: unknown): ImportOutcome {
  const { summary, warnings } = isJsonObject(result) ? result : {};
  const counts = isJsonObject(summary) ? summary : {};
  const count = (name: string) => Number(counts[name] ?? 0);
  return {
    created: count('created'),
    ...(counts['updated'] !== undefined && { updated: count('updated') }),
    skipped: count('skipped'),
    failed: count('failed'),
    total: count('total'),
    warnings: (Array.isArray(warnings) ? warnings.filter(isJsonObject) : []).map((one) => ({
      path: String(one['path']),
      count: Number(one['count']),
      ...(one['line'] !== undefined && { line: Number(one['line']) }),
    })),
  };
}
