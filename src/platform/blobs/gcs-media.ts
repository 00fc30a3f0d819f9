import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { File } from '@google-cloud/storage';
import { pathSegment } from '../path-segment.js';

/** A response that is not the object. */
class StorageAnswer extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const longestMessage = 2_000;

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
  const { storage } = file;
  const url = new URL(`${storage.apiEndpoint}/storage/v1/b/${file.bucket.name}/o/${pathSegment(file.name)}`);
  url.searchParams.set('alt', 'media');
  url.searchParams.set('generation', String(file.generation));
  const headers = {
    // The stored form, because a range counts its bytes.
    'accept-encoding': 'gzip',
    'cache-control': 'no-store',
    ...(start > 0 && { range: `bytes=${start}-` }),
    ...(!storage.customEndpoint && (await within(stallMs, storage.authClient.getRequestHeaders()))),
  };
  const answer = await send(url, { headers, ...(signal && { signal }) }, stallMs);
  const wanted = start > 0 ? 206 : 200;
  if (answer.statusCode === wanted) return answer;
  throw new StorageAnswer(answer.statusCode ?? 0, await within(stallMs, readMessage(answer)));
}

function send(
  url: URL,
  options: { headers: Record<string, string>; signal?: AbortSignal },
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
    sent.on('error', reject).once('close', () => clearTimeout(timer));
    sent.end();
  });
}

async function readMessage(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestMessage) break;
  }
  return text.slice(0, longestMessage);
}

/** Fails when the result takes longer than `limitMs`. */
export async function within<T>(limitMs: number, result: Promise<T>): Promise<T> {
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
