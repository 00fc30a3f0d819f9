import { personClaims, type RequestedClaims } from '#src/authorization/requested-claims.js';
import { acrValues } from '#src/directory/index.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** The request waits in addresses, so its size is bounded. In bytes. */
const maxBytes = 4_096;
/** The longest value of `sub` or `acr`, in characters. */
const maxValueLength = 255;
/** The most users of whom the request may name one. */
const maxSubjects = 10;

/** What the parameter `claims` asks for, and whom it is about. */
interface ClaimsRequest {
  readonly claims?: RequestedClaims;
  /** The users of whom one must sign in. */
  readonly subjects?: readonly string[];
}

/**
 * Reads the parameter `claims` (OpenID Connect Core section 5.5). A claim that is essential is returned like any other: if it is
 * unknown, the request does not fail (section 5.5.1). Two claims restrict the sign-in: a `sub` with a value, and an essential `acr`
 * with values (section 5.5.1.1). Values of other claims are ignored.
 */
export function checkClaims(parameters: AuthorizeParameters): ClaimsRequest {
  const given = parameters.get('claims');
  if (given === undefined) return {};
  const { userinfo, id_token: idToken } = requireObject(parse(given), 'claims');
  const forUserinfo = userinfo == null ? {} : requireObject(userinfo, 'claims.userinfo');
  const forIdToken = idToken == null ? {} : requireObject(idToken, 'claims.id_token');
  const claims = {
    ...listed('userinfo', namesIn(forUserinfo)),
    ...listed('idToken', namesIn(forIdToken)),
    ...essentialAcrs(forIdToken),
  };
  const subjects = subjectsIn([forIdToken, forUserinfo]);
  return {
    ...(Object.keys(claims).length > 0 && { claims }),
    ...(subjects !== undefined && { subjects }),
  };
}

function parse(text: string): unknown {
  if (Buffer.byteLength(text) > maxBytes) throw invalid(`has more than ${maxBytes} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('is not JSON');
  }
}

function requireObject(value: unknown, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new RedirectedError('invalid_request', `${name} must be a JSON object`);
}

function namesIn(asked: JsonObject): string[] {
  return personClaims.filter((name) => Object.hasOwn(asked, name));
}

function listed(name: keyof RequestedClaims, values: readonly string[]): RequestedClaims {
  return values.length === 0 ? {} : { [name]: values };
}

/**
 * The texts in `value` and `values` of a requested claim. Undefined if it has neither.
 * @throws RedirectedError if they are something else: a restriction that cannot be read must not be ignored
 */
function valuesOf(asked: JsonObject, name: string): string[] | undefined {
  const claim = Object.hasOwn(asked, name) ? asked[name] : undefined;
  if (!isJsonObject(claim)) return undefined;
  const { value, values } = claim;
  if (value === undefined && values === undefined) return undefined;
  const given: unknown[] = [
    ...(value === undefined ? [] : [value]),
    ...(values === undefined ? [] : [values].flat()),
  ];
  const texts = given.filter((one) => typeof one === 'string');
  if (texts.length === 0 || texts.length < given.length)
    throw invalid(`has a value of ${name} that is no text`);
  if (texts.some(({ length }) => length > maxValueLength))
    throw invalid(`has a value of ${name} with more than ${maxValueLength} characters`);
  return texts;
}

/** Unknown levels are left out, because the request waits in addresses. If all are unknown, no sign-in reaches any: the list is empty. */
function essentialAcrs(asked: JsonObject): RequestedClaims {
  const { acr } = asked;
  if (!isJsonObject(acr) || acr['essential'] !== true) return {};
  const demanded = valuesOf(asked, 'acr');
  return demanded === undefined ? {} : { acrs: acrValues.filter((level) => demanded.includes(level)) };
}

/** The users that every part of the request allows. */
function subjectsIn(parts: readonly JsonObject[]): string[] | undefined {
  const lists = parts.flatMap((part) => {
    const values = valuesOf(part, 'sub');
    return values === undefined ? [] : [values];
  });
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const allowed = first.filter((id) => others.every((list) => list.includes(id)));
  if (allowed.length === 0 || allowed.length > maxSubjects) throw invalid('has no usable value of sub');
  return allowed;
}

function invalid(problem: string): RedirectedError {
  return new RedirectedError('invalid_request', `The parameter claims ${problem}`);
}
