import { rmSync } from 'node:fs';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import type { BodyOptions } from '#src/migration/convert/import-body.js';
import type { RuleFlags } from '#src/migration/convert/mapping/people-rules.js';
import { isSameFile } from '#src/migration/convert/output-file.js';
import type { Problems } from '#src/migration/convert/reading/problems.js';
import { StartError } from '#src/platform/start-error.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { recordProblems } from './recorded-problems.js';
import { isCrowded, tellConversion, tellExplained } from './tell-conversion.js';

/** The options that every conversion has. */
export interface ConvertOptions {
  /** Absent if the export names its organizations. */
  readonly org?: string | undefined;
  readonly output: string;
  readonly timeout: string;
  readonly multiline?: boolean | undefined;
  readonly emailVerified?: boolean | undefined;
  readonly skipInvalid?: boolean | undefined;
  readonly errors?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly dropHashes?: boolean | undefined;
  readonly withoutCredentials?: 'refuse' | 'allow' | undefined;
  readonly secondFactors?: 'drop' | 'refuse' | 'link' | undefined;
}

/** What a conversion gets beside its own input. */
export interface Shared extends RuleFlags {
  readonly skipInvalid: boolean;
  readonly strict: boolean;
  readonly problems: Problems;
  readonly signal: AbortSignal;
}

/** Runs a conversion and tells its report. Sets the exit code of the process. */
export async function runConversion(
  options: ConvertOptions,
  output: Output,
  conversion: {
    readonly inputs: readonly string[];
    /** Shows the first records before and after, and writes nothing. */
    readonly isExplained?: boolean;
    convert(shared: Shared, body: BodyOptions): Promise<ConversionReport>;
  },
): Promise<void> {
  const body = bodyOf(options);
  const path = options.errors ?? `${options.output}.problems.ndjson`;
  const replaced = conversion.inputs.find((input) => isSameFile(input, path));
  if (replaced !== undefined) throw new StartError(`${path} is an input, ${replaced}: it would be lost`);
  const problems = recordProblems(path);
  const stop = new AbortController();
  const interrupt = () => stop.abort(new StartError('Interrupted; nothing was written.'));
  // Handle the signal each time. A wrapper and a terminal can both send it. If the second signal ended the process,
  // files with hashes would stay behind.
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const shared = {
      emailVerified: options.emailVerified === true,
      skipInvalid: options.skipInvalid === true,
      strict: options.strict === true,
      dropHashes: options.dropHashes,
      withoutCredentials: options.withoutCredentials,
      secondFactors: options.secondFactors,
      problems,
      signal: stop.signal,
    };
    const { explained = [], ...report } = await conversion.convert(shared, body);
    const isKept = options.errors !== undefined || isCrowded(problems);
    if (isKept) problems.keep();
    // What an earlier conversion left there is not about this one.
    else rmSync(path, { force: true });
    if (conversion.isExplained) tellExplained(explained, output);
    const told = { ...report, ...(conversion.isExplained && { explained }) };
    const about = { path: body.path, isStrict: shared.strict, ...(isKept && { problemsPath: path }) };
    tellConversion(told, about, output);
    const isFine = report.written || (conversion.isExplained && report.users > 0);
    if (!isFine || problems.count('error') > 0) endWith('failed');
  } finally {
    problems.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function bodyOf({ org: orgId, output: path, timeout, multiline = false }: ConvertOptions): BodyOptions {
  if (!/^(?:\d+(?:\.\d+)?(?:h|m|s|ms))+$/.test(timeout) || !/[1-9]/.test(timeout)) {
    throw new StartError(`--timeout ${timeout} is not a duration such as 30m or 1h30m`);
  }
  if (orgId === '') throw new StartError('--org must name an organization');
  return { path, orgId: orgId ?? '', timeout, multiline };
}
