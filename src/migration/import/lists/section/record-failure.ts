import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { type ImportCode, importCodes } from './import-codes.js';
import type { ImportErrorType, Outcome } from './section.js';

/** Raised when one record cannot be imported. */
export class RecordFailure extends Error {
  readonly code: ImportCode;
  readonly type: ImportErrorType | undefined;

  /** @param detail what exactly is wrong, without secrets; by default the text of the code */
  constructor(code: ImportCode, detail?: string, type?: ImportErrorType) {
    super(detail ?? importCodes[code]);
    this.code = code;
    this.type = type;
  }
}

/** Raised when the objects that a plan relies on have changed before it is written. The part is then planned again. */
export class PlanOutdated extends Error {}

const codes = new Map<string, ImportCode>([
  [directoryErrors.valueInvalid.id, 'VALUE-INVALID'],
  [directoryErrors.pictureInvalid.id, 'VALUE-INVALID'],
  [directoryErrors.valueMissing.id, 'VALUE-MISSING'],
  [directoryErrors.passwordsOff.id, 'PASSWORDS-OFF'],
  [directoryErrors.passwordWeak.id, 'PASSWORD-WEAK'],
  [directoryErrors.userOutranksCaller.id, 'USER-OUTRANKS'],
  [directoryErrors.lastAbleOwner.id, 'LAST-OWNER'],
]);

/**
 * Returns the outcome of a record that broke a rule of the directory or of the import.
 * @throws any other error, because it is no fault of the record
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
