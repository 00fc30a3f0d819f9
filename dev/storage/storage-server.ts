import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CRC32C } from '@google-cloud/storage';
import type { Test } from 'tap';
import { endable } from '../end-server.js';

interface StoredObject {
  readonly content: Buffer;
  readonly generation: number;
  readonly contentType?: string;
  readonly contentEncoding?: string;
}

/** A fault for the next request of a kind. Each fault happens once. */
interface Fault {
  readonly on: 'metadata' | 'download' | 'begin' | 'chunk';
  /** Answers with this status and message. */
  readonly status?: number;
  readonly message?: string;
  /** Closes the connection after this many bytes of the response, or of the request. */
  readonly cutAfter?: number;
  /** Stops sending after this many bytes and keeps the connection open. An upload gets no response. */
  readonly stallAfter?: number;
  /** Ends the response properly after this many bytes. */
  readonly endAfter?: number;
  /** Called when a request of an upload has arrived completely, before the response. */
  readonly hold?: () => Promise<void>;
}

export interface StorageServer {
  /** The value for STORAGE_EMULATOR_HOST. */
  readonly endpoint: string;
  /** The objects by `bucket/path`. */
  readonly objects: Map<string, StoredObject>;
  put(
    name: string,
    content: Buffer | string,
    more?: Pick<StoredObject, 'contentEncoding' | 'contentType'>,
  ): void;
  /** Makes these requests fail, in this order for each kind. */
  fail(...faults: Fault[]): void;
  /** The number of faults that have not happened. */
  pending(): number;
  /** Removes all faults and objects. */
  reset(): void;
  /** Reports a checksum that is not that of the object. */
  lieAboutChecksums(lies: boolean): void;
  /** Every request so far: `GET /storage/v1/b/...`, with its range. */
  readonly requests: string[];
  /** The credentials of all requests. */
  readonly authorizations: string[];
}

interface Upload {
  readonly name: string;
  readonly contentType: string | undefined;
  received: Buffer;
}

/** What the server holds, and how it is to fail. */
class Storage {
  readonly buckets: readonly string[];
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  readonly faults: Fault[] = [];
  readonly requests: string[] = [];
  readonly authorizations: string[] = [];
  lies = false;
  #generations = 1_000;

  constructor(buckets: readonly string[]) {
    this.buckets = buckets;
  }

  put(name: string, content: Buffer, more: Partial<StoredObject> = {}): void {
    this.#generations += 1;
    this.objects.set(name, { content, generation: this.#generations, ...more });
  }

  /** The metadata of an object. */
  describe(name: string, { content, generation, contentType, contentEncoding }: StoredObject) {
    const crc32c = new CRC32C();
    crc32c.update(content);
    if (this.lies) crc32c.update(Buffer.from('x'));
    const [bucket, ...path] = name.split('/');
    return {
      kind: 'storage#object',
      bucket,
      name: path.join('/'),
      generation: String(generation),
      size: String(content.length),
      crc32c: crc32c.toString(),
      contentType,
      contentEncoding,
    };
  }

  /** Takes the next fault of this kind. */
  nextFault(on: Fault['on']): Fault | undefined {
    const index = this.faults.findIndex((fault) => fault.on === on);
    return index < 0 ? undefined : this.faults.splice(index, 1)[0];
  }

  reset(): void {
    this.objects.clear();
    this.faults.length = 0;
    this.requests.length = 0;
    this.lies = false;
  }
}

/** A request, and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

/**
 * A storage server with the parts of the JSON API that the client needs: metadata, media with ranges and generations,
 * and resumable uploads.
 * @param buckets the buckets that exist
 */
export async function startStorageServer(
  t: Pick<Test, 'teardown'>,
  buckets: readonly string[],
): Promise<StorageServer> {
  const storage = new Storage(buckets);
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    answer(storage, request, response).catch(() => response.destroy());
  });
  t.teardown(endable(server));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { objects, faults, requests, authorizations } = storage;
  return {
    endpoint: originOf(server.address() as AddressInfo),
    objects,
    put: (name, content, more) => storage.put(name, Buffer.from(content), more),
    fail: (...more) => void faults.push(...more),
    pending: () => faults.length,
    reset: () => storage.reset(),
    lieAboutChecksums: (does) => {
      storage.lies = does;
    },
    requests,
    authorizations,
  };
}

function originOf({ port }: AddressInfo): string {
  return `http://127.0.0.1:${port}`;
}

async function answer(storage: Storage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://storage.test');
  const range = request.headers.range ?? request.headers['content-range'];
  storage.requests.push(`${request.method} ${url.pathname}${range === undefined ? '' : ` ${range}`}`);
  if (request.headers.authorization !== undefined) storage.authorizations.push(request.headers.authorization);
  const [, rest = ''] = url.pathname.split('/storage/v1/b/');
  const [bucket = '', , encoded = ''] = rest.split('/');
  if (!storage.buckets.includes(bucket)) {
    sendError(response, 404, 'The specified bucket does not exist.');
    return;
  }
  const exchange = { request, response, url };
  if (url.pathname.startsWith('/upload/')) await upload(storage, exchange, bucket);
  else sendObject(storage, exchange, `${bucket}/${decodeURIComponent(encoded)}`);
}

/** Answers a request for the metadata or the content of an object, or removes it. */
function sendObject(storage: Storage, { request, response, url }: Exchange, name: string): void {
  const media = url.searchParams.get('alt') === 'media';
  const fault = storage.nextFault(media ? 'download' : 'metadata');
  if (fault?.status !== undefined) {
    sendError(response, fault.status, fault.message ?? 'A fault');
    return;
  }
  const object = storage.objects.get(name);
  const generation = url.searchParams.get('generation');
  if (object === undefined || (generation !== null && generation !== String(object.generation))) {
    sendError(response, 404, `No such object: ${name}`);
    return;
  }
  if (request.method === 'DELETE') {
    storage.objects.delete(name);
    response.writeHead(204).end();
    return;
  }
  if (media) sendContent(response, object, { range: request.headers.range, fault });
  else sendJson(response, 200, storage.describe(name, object));
}

/** Sends the content from the beginning of the range, up to where the fault ends it. */
function sendContent(
  response: ServerResponse,
  object: StoredObject,
  { range, fault }: { range: string | undefined; fault: Fault | undefined },
): void {
  const start = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
  const content = object.content.subarray(start);
  const headers = {
    'content-type': object.contentType ?? 'application/json',
    'x-goog-stored-content-encoding': object.contentEncoding ?? 'identity',
    ...(object.contentEncoding !== undefined && { 'content-encoding': object.contentEncoding }),
  };
  const limit = fault?.cutAfter ?? fault?.stallAfter ?? fault?.endAfter;
  if (limit === undefined) {
    response.writeHead(start > 0 ? 206 : 200, { ...headers, 'content-length': content.length });
    response.end(content);
  } else if (fault?.endAfter !== undefined) {
    response.writeHead(start > 0 ? 206 : 200, headers);
    response.end(content.subarray(0, limit));
  } else {
    response.writeHead(start > 0 ? 206 : 200, { ...headers, 'content-length': content.length });
    response.write(content.subarray(0, limit), () => {
      if (fault?.cutAfter !== undefined) setImmediate(() => response.destroy());
    });
  }
}

/** Begins a resumable upload, or takes a chunk of one. */
async function upload(storage: Storage, exchange: Exchange, bucket: string): Promise<void> {
  const { request, response, url } = exchange;
  const id = url.searchParams.get('upload_id');
  const fault = storage.nextFault(id === null ? 'begin' : 'chunk');
  const body = await readBody(request, fault?.cutAfter);
  const current = id === null ? undefined : storage.uploads.get(id);
  if (current !== undefined) {
    const [, from = '0'] = /^bytes (\d+)-/.exec(request.headers['content-range'] ?? '') ?? [];
    if (body.length > 0 && Number(from) === current.received.length && fault?.status === undefined) {
      current.received = Buffer.concat([current.received, body]);
    }
  }
  await fault?.hold?.();
  if (fault?.cutAfter !== undefined) {
    response.destroy();
    return;
  }
  if (fault?.stallAfter !== undefined) return;
  if (fault?.status !== undefined) sendError(response, fault.status, fault.message ?? 'A fault');
  else if (id === null) beginUpload(storage, exchange, bucket);
  else if (current === undefined) sendError(response, 404, 'No such upload');
  else answerChunk(storage, exchange, current);
}

function beginUpload(storage: Storage, { request, response, url }: Exchange, bucket: string): void {
  const session = String(storage.uploads.size + 1);
  const contentType = request.headers['x-upload-content-type']?.toString();
  const name = `${bucket}/${url.searchParams.get('name')}`;
  storage.uploads.set(session, { name, contentType, received: Buffer.alloc(0) });
  const endpoint = originOf(request.socket.address() as AddressInfo);
  const location = `${endpoint}${url.pathname}?uploadType=resumable&upload_id=${session}`;
  response.writeHead(200, { location, 'content-length': 0 }).end();
}

/** Stores the object if the chunk was its last. Otherwise tells how far the upload has come. */
function answerChunk(storage: Storage, { request, response }: Exchange, current: Upload): void {
  const [, total] = /\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? [];
  if (total === undefined || Number(total) !== current.received.length) {
    const last = current.received.length - 1;
    response.writeHead(308, { 'content-length': 0, ...(last >= 0 && { range: `bytes=0-${last}` }) }).end();
    return;
  }
  storage.put(current.name, current.received, {
    ...(current.contentType !== undefined && { contentType: current.contentType }),
  });
  sendJson(response, 200, storage.describe(current.name, storage.objects.get(current.name) as StoredObject));
}

/** The body, or its first bytes if the connection is to break after them. */
async function readBody(request: IncomingMessage, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit === Number.POSITIVE_INFINITY ? undefined : limit);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendError(response: ServerResponse, code: number, message: string): void {
  sendJson(response, code, { error: { code, message, errors: [{ message, domain: 'global' }] } });
}
