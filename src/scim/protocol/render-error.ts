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
