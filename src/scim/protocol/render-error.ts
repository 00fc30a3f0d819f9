import type { AppError, ErrorKind, ScimType, Violation, ViolationParams } from '#src/platform/errors.js';
import { urns } from './urns.js';

/** The body of an error answer (RFC 7644 section 3.12), with the extension of this service unless it is plain. */
interface ScimErrorBody {
  schemas: string[];
  scimType?: ScimType;
  detail: string;
  status: string;
  [urns.errorDetail]?: { id: string; message: string; errors?: AttributeError[] };
}

/** One attribute that is refused. */
interface AttributeError {
  /** The name of the attribute (RFC 7644 section 3.10). Absent if several values do not fit each other. */
  path?: string;
  id: string;
  params?: ViolationParams;
  message: string;
}

/** The preference (RFC 7240) of a request whose errors name each attribute that is refused. */
export const allErrors = 'all-errors';

/** How much an error body says: what RFC 7644 names, also the extension, or also each attribute that is refused. */
export type ErrorExtent = 'plain' | 'extended' | typeof allErrors;

/**
 * Renders an error for SCIM. `detail` describes the error in this request, the extension describes it in general. Some
 * clients accept no error with an extension. They get a plain one. Strict clients know the extension as it has always been, so only
 * a request that asks for it gets more.
 */
export function scimErrorBody(
  error: AppError,
  status: number,
  extent: ErrorExtent = 'extended',
): ScimErrorBody {
  const isPlain = extent === 'plain';
  const { id, kind, message, scimType = scimTypeOfKind(kind) } = error.definition;
  return {
    schemas: isPlain ? [urns.error] : [urns.error, urns.errorDetail],
    ...(scimType && { scimType }),
    detail: error.message,
    status: String(status),
    ...(!isPlain && { [urns.errorDetail]: { id, message, ...(extent === allErrors && errorsOf(error)) } }),
  };
}

function errorsOf({ violations }: AppError): { errors?: AttributeError[] } {
  return violations.length === 0 ? {} : { errors: violations.map(attributeError) };
}

function attributeError({ path, id, params, detail }: Violation): AttributeError {
  return { ...(path.length > 0 && { path: path.join('.') }), id, ...(params && { params }), message: detail };
}

function scimTypeOfKind(kind: ErrorKind): ScimType | undefined {
  return kind === 'invalid' ? 'invalidValue' : undefined;
}
