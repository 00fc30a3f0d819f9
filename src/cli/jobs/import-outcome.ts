import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';

/** What became of the records of an import. */
export interface ImportOutcome {
  readonly created: number;
  /** Only of an import that updates. */
  readonly updated?: number;
  readonly skipped: number;
  readonly failed: number;
  readonly total: number;
  /** How the people can sign in. Absent if each of them can by a password. */
  readonly signIns?: Readonly<Record<string, number>>;
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
  const { summary, warnings, signIns } = isJsonObject(result) ? result : {};
  const counts = isJsonObject(summary) ? summary : {};
  const count = (name: string) => Number(counts[name] ?? 0);
  return {
    created: count('created'),
    ...(counts['updated'] !== undefined && { updated: count('updated') }),
    skipped: count('skipped'),
    failed: count('failed'),
    total: count('total'),
    ...(isJsonObject(signIns) && { signIns: numbersOf(signIns) }),
    warnings: (Array.isArray(warnings) ? warnings.filter(isJsonObject) : []).map((one) => ({
      path: String(one['path']),
      count: Number(one['count']),
      ...(one['line'] !== undefined && { line: Number(one['line']) }),
    })),
  };
}

function numbersOf(counts: JsonObject): Record<string, number> {
  const names = ['password', 'link', 'hook', 'none', 'disabled'];
  return Object.fromEntries(names.map((name) => [name, Number(counts[name] ?? 0)]));
}
