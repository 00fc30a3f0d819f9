import type { AppError, ErrorKind, ScimType } from '#src/platform/errors.js';
import { urns } from './urns.js';

/** Body of an error answer (RFC 7644 section 3.12) with the service's own extension. */
export interface ScimErrorBody {
  schemas: string[];
  scimType?: ScimType;
  detail: string;
  status: string;
  [urns.errorDetail]: { id: string; message: string };
}

const statuses: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  tooLarge: 413,
  rateLimited: 429,
  unavailable: 503,
  internal: 500,
};

/** The HTTP status that SCIM gives to a kind of error (RFC 7644 table 8). */
export function statusOfKind(kind: ErrorKind): number {
  return statuses[kind];
}

/** Renders an error for SCIM: `detail` speaks of this request, the extension of the error as such. */
export function scimErrorBody(error: AppError, status: number): ScimErrorBody {
  const { id, kind, message, scimType = scimTypeOfKind(kind) } = error.definition;
  return {
    schemas: [urns.error, urns.errorDetail],
    ...(scimType && { scimType }),
    detail: error.message,
    status: String(status),
    [urns.errorDetail]: { id, message },
  };
}

function scimTypeOfKind(kind: ErrorKind): ScimType | undefined {
  return kind === 'invalid' ? 'invalidValue' : undefined;
}
