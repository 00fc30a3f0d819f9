import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { File, FileMetadata } from '@google-cloud/storage';
import { unanswered } from '../../outgoing/unanswered.js';
import { pathSegment } from '../../path-segment.js';

/** A response that is not the object. */
class StorageAnswer extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const longestMessage = 2_000;
/** The description of an object has some kilobytes. */
const longestDescription = 1024 * 1024;

/**
 * Reads the description of an object.
 * @param stallMs the longest wait for the response, and for its body
 */
export async function readDescription(
  file: File,
  { stallMs, signal }: { stallMs: number; signal: AbortSignal | undefined },
): Promise<FileMetadata> {
  const headers = { accept: 'application/json', ...(await credentialsOf(file, stallMs)) };
  const answer = await send(addressOf(file), { headers, ...(signal && { signal }) }, stallMs);
  if (answer.statusCode !== 200) throw await failureOf(answer, stallMs);
  const text = await within(stallMs, readText(answer, longestDescription));
  try {
    return JSON.parse(text) as FileMetadata;
  } catch {
    throw new StorageAnswer(answer.statusCode, 'The storage describes the object by no JSON');
  }
}

/**
 * Removes an object. The library would follow a redirect with the same method.
 * @param stallMs the longest wait for the response
 */
export async function removeObject(file: File, stallMs: number): Promise<void> {
  const headers = await credentialsOf(file, stallMs);
  const answer = await send(addressOf(file), { method: 'DELETE', headers }, stallMs);
  if ((answer.statusCode ?? 0) >= 300) throw await failureOf(answer, stallMs);
  answer.resume();
}

function addressOf({ storage, bucket, name }: File): URL {
  return new URL(`${storage.apiEndpoint}/storage/v1/b/${bucket.name}/o/${pathSegment(name)}`);
}

/** A server that is not Google's gets no credentials. */
async function credentialsOf({ storage }: File, stallMs: number): Promise<Record<string, string>> {
  if (storage.customEndpoint) return {};
  return { ...(await within(stallMs, storage.authClient.getRequestHeaders())) };
}

async function failureOf(answer: IncomingMessage, stallMs: number): Promise<StorageAnswer> {
  const message = await within(stallMs, readText(answer, longestMessage));
  return new StorageAnswer(answer.statusCode ?? 0, message);
}

/**
 * Requests the stored bytes of one generation of an object, from `start` on. The library's own download does
 * not notice when a connection breaks, so this sends a plain request with the library's credentials.
 * @param stallMs the longest wait for the response
 * @param signal ends the request and the response
 */
export async function requestMedia(
  file: File,
  { start, stallMs, signal }: { start: number; stallMs: number; signal: AbortSignal | undefined },
): Promise<IncomingMessage> {
  const url = addressOf(file);
  url.searchParams.set('alt', 'media');
  url.searchParams.set('generation', String(file.generation));
  const headers = {
    // The stored form, because a range counts its bytes.
    'accept-encoding': 'gzip',
    'cache-control': 'no-store',
    ...(start > 0 && { range: `bytes=${start}-` }),
    ...(await credentialsOf(file, stallMs)),
  };
  const answer = await send(url, { headers, ...(signal && { signal }) }, stallMs);
  const wanted = start > 0 ? 206 : 200;
  if (answer.statusCode === wanted) return answer;
  throw await failureOf(answer, stallMs);
}

function send(
  url: URL,
  options: { method?: 'DELETE'; headers: Record<string, string>; signal?: AbortSignal },
  stallMs: number,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    // A timeout of the socket would not count the time until it is connected.
    const timer = setTimeout(() => sent.destroy(new Error('The storage does not answer')), stallMs);
    sent
      .on('error', reject)
      .once('close', () => clearTimeout(timer))
      .once('close', unanswered(reject));
    sent.end();
  });
}

/** The beginning of a body. */
async function readText(answer: IncomingMessage, longest: number): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longest) break;
  }
  return text.slice(0, longest);
}

/** Fails when the result takes longer than `limitMs`. */
async function within<T>(limitMs: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The storage does not answer')), limitMs);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
