import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { plainWord } from './terminal/plain-text.js';

/** The service is temporarily unavailable. The caller can try again. */
export class NotNow extends Error {
  /** The shortest time that the service asks the caller to wait, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, response?: Response) {
    super(message);
    const seconds = Number(response?.headers.get('retry-after') ?? 0);
    this.retryAfterMs = Math.min(longestRetryAfterMs, seconds > 0 ? seconds * 1000 : 0);
  }
}

/** A service that asks for more patience is asked earlier. */
const longestRetryAfterMs = 60_000;

/** The service refused the request. */
export class Refused extends StartError {
  readonly status: number;
  /** The identifier of the error, such as `directory.userNotFound`. */
  readonly errorId: string;

  constructor(message: string, response: Response) {
    super(message);
    this.status = response.status;
    this.errorId = response.headers.get(errorIdHeader) ?? '';
  }
}

/** Nothing answers at the address, or something other than Muster does. */
export class Unreachable extends StartError {}

/** Each error of Muster has this header: see `http/problem.ts`. */
const errorIdHeader = 'x-error-id';

/** Whether Muster sent this error, and no other program. */
export function isOfMuster(response: Response): boolean {
  return response.headers.has(errorIdHeader);
}

/** The most characters of a text that is no problem. */
const shownLength = 200;

/** Returns the problem that the service reports (RFC 9457 or RFC 7644), or else where it leads, or its text, as part of a line. */
export async function problemOf(response: Response): Promise<string> {
  return plainWord(await textOf(response));
}

async function textOf(response: Response): Promise<string> {
  const location = response.headers.get('location');
  const text = await response.text().catch(() => '');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `It leads to ${location}`;
  }
  try {
    const { title = '', detail = '' } = JSON.parse(text);
    return [...new Set([title, detail])].filter(Boolean).join(': ');
  } catch {
    const start = /^\s*</.test(text) ? '' : text.slice(0, shownLength);
    return [response.statusText, start].filter(Boolean).join(': ');
  }
}

/** Returns why a request could not be sent. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

/** Returns the JSON object of an answer. @throws StartError */
export async function objectOf(response: Response): Promise<JsonObject> {
  const value: unknown = await response.json().catch(() => undefined);
  if (isJsonObject(value)) return value;
  throw new StartError(`The answer of ${new URL(response.url).pathname} is not what this version reads`);
}

/** Returns the objects of a list in an answer. */
export function objectsIn(answer: JsonObject, name: string): JsonObject[] {
  const list = answer[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Returns a text of an answer. '' if there is none. */
export function textIn(answer: JsonObject, name: string): string {
  const value = answer[name];
  return typeof value === 'string' ? value : '';
}
