import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { plainWord } from '../terminal/plain-text.js';

/** The service is temporarily unavailable. The caller can try again. */
export class NotNow extends StartError {
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

/** The answer is no JSON object, or longer than any that this program reads whole. */
export class Unreadable extends StartError {}

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
  const text = await wholeText(response).catch(() => '');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `It leads to ${location}`;
  }
  const value = parsed(text);
  if (isJsonObject(value)) {
    const parts = [textIn(value, 'title'), textIn(value, 'detail')];
    return [...new Set(parts)].filter((part) => part !== '').join(': ');
  }
  const start = /^\s*</.test(text) ? '' : text.slice(0, shownLength);
  return [response.statusText, start].filter((part) => part !== '').join(': ');
}

/** The most characters of an answer that is read whole. Lists have pages, and long results are read as a stream. */
const longestText = 8 * 1024 * 1024;

/** @throws NotNow if the answer breaks off. Unreadable if it is too long */
async function wholeText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > longestText) break;
    }
  } catch (error) {
    throw new NotNow(`The answer of ${response.url} broke off: ${causeOf(error)}`);
  }
  if (text.length <= longestText) return text;
  throw new Unreadable(`The answer of ${response.url} does not end`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns why a request could not be sent. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

/** Returns the JSON object of an answer. @throws NotNow if it breaks off. Unreadable if it is something else */
export async function objectOf(response: Response): Promise<JsonObject> {
  const value = parsed(await wholeText(response));
  if (isJsonObject(value)) return value;
  throw new Unreadable(`The answer of ${new URL(response.url).pathname} is not what this version reads`);
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
