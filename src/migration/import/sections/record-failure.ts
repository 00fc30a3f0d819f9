import { directoryErrors } from '#src/directory/errors.js';
import { AppError } from '#src/platform/errors.js';
import { type ImportCode, importCodes } from './import-codes.js';
import type { ImportErrorType, Outcome } from './section.js';

/** Why one record is not imported. */
export class RecordFailure extends Error {
  readonly code: ImportCode;
  readonly type: ImportErrorType | undefined;

  /** @param detail what exactly is wrong, never a secret; the text of the code where it is absent */
  constructor(code: ImportCode, detail?: string, type?: ImportErrorType) {
    super(detail ?? importCodes[code]);
    this.code = code;
    this.type = type;
  }
}

/** What a plan relies on has changed before it was written: the part is planned again. */
export class PlanOutdated extends Error {}

const codes = new Map<string, ImportCode>([
  [directoryErrors.valueInvalid.id, 'VALUE-INVALID'],
  [directoryErrors.valueMissing.id, 'VALUE-MISSING'],
  [directoryErrors.passwordWeak.id, 'PASSWORD-WEAK'],
]);

/**
 * The outcome of a record that failed by a rule of the directory or of the import.
 * @throws whatever else was thrown: it is no fault of the record
 */
export function failedOutcome(error: unknown, id: string): Outcome {
  if (error instanceof RecordFailure) {
    const { code, message, type } = error;
    return { kind: 'failed', id, code, message, ...(type !== undefined && { type }) };
  }
  const code = error instanceof AppError ? codes.get(error.definition.id) : undefined;
  if (code === undefined || !(error instanceof Error)) throw error;
  return { kind: 'failed', id, code, message: error.message };
}
