import { statusOfKind } from '#src/platform/error-status.js';
import { AppError } from '#src/platform/errors.js';
import { scimErrorBody } from '#src/scim/protocol/render-error.js';

/** The `scimType` of the error body a client would get, or the result where there is no error. */
export function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const body = scimErrorBody(error, statusOfKind(error.definition.kind));
    return body.scimType ?? body.status;
  }
}
