import type { AppError, ErrorKind, ScimType } from '#src/platform/errors.js';
import { urns } from './urns.js';

/** The body of an error answer (RFC 7644 section 3.12), with the extension of this service unless it is plain. */
interface ScimErrorBody {
  schemas: string[];
  scimType?: ScimType;
  detail: string;
  status: string;
  [urns.errorDetail]?: { id: string; message: string };
}

/**
 * Renders an error for SCIM. `detail` describes the error in this request, the extension describes it in general. Some
 * clients accept no error with an extension. They get a plain one.
 */
export function scimErrorBody(error: AppError, status: number, isPlain = false): ScimErrorBody {
  const { id, kind, message, scimType = scimTypeOfKind(kind) } = error.definition;
  return {
    schemas: isPlain ? [urns.error] : [urns.error, urns.errorDetail],
    ...(scimType && { scimType }),
    detail: error.message,
    status: String(status),
    ...(!isPlain && { [urns.errorDetail]: { id, message } }),
  };
}

function scimTypeOfKind(kind: ErrorKind): ScimType | undefined {
  return kind === 'invalid' ? 'invalidValue' : undefined;
}
