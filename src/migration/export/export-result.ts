import type { Job } from '#src/jobs/job.js';
import { AppError, errorCatalogue } from '#src/platform/errors.js';
import { exportErrors } from './export-errors.js';
import type { ExportDestination } from './export-request.js';
import type { LeftOut } from './left-out.js';
import type { ExportCounts } from './write-export.js';

/** The result of an export in the record of its job. */
export type ExportResult =
  | (ExportDestination & {
      readonly counts: ExportCounts;
      /** The numbers of what the organizations have and the file does not. Absent if there is nothing. */
      readonly notExported?: Partial<LeftOut>;
      readonly withPasswords: boolean;
      readonly withOtp: boolean;
      /** The staged text and its length in bytes. Absent if the export went to a bucket alone. */
      readonly staged?: { readonly id: string; readonly length: number };
    })
  | { readonly error: { readonly id: string; readonly message: string } };

/** The result of an ended export. Undefined if it was cancelled or its deadline passed, or if it failed by a fault. */
export function exportResultOf(job: Job): ExportResult | undefined {
  return job.parts['0'] as ExportResult | undefined;
}

/** The `result` of an export as the API shows it, without the place of the staged text. */
export function showExportResult(job: Job): unknown {
  const result = exportResultOf(job);
  if (result === undefined || 'error' in result) return result;
  const { counts, notExported, staged } = result;
  return {
    counts,
    ...(notExported && { notExported }),
    ...(staged && { bytes: staged.length }),
    ...exportDestinationOf(result),
  };
}

/** Where a result says that the export was written. */
export function exportDestinationOf({ gcs, s3, azure }: ExportDestination): ExportDestination {
  return { ...(gcs && { gcs }), ...(s3 && { s3 }), ...(azure && { azure }) };
}

/** The result of an ended export. @throws AppError that says why it has none */
export function requireExportResult(job: Job): Extract<ExportResult, { counts: ExportCounts }> {
  const result = exportResultOf(job);
  if (job.state === 'expired') throw new AppError(exportErrors.timedOut);
  if (job.state === 'cancelled') throw new AppError(exportErrors.cancelled);
  if (result === undefined) throw new AppError(exportErrors.failed);
  if ('error' in result) {
    const { id, message } = result.error;
    const definition = errorCatalogue.find((one) => one.id === id) ?? exportErrors.failed;
    throw new AppError(definition, { detail: message });
  }
  return result;
}
