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

/**
 * A storage server with the parts of the JSON API that the client needs: metadata, media with ranges and generations,
 * and resumable uploads.
 * @param buckets the buckets that exist
 */
export async function startStorageServer(
  t: Pick<Test, 'teardown'>,
  buckets: readonly string[],
): Promise<StorageServer> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  const faults: Fault[] = [];
  const requests: string[] = [];
  const authorizations: string[] = [];
  let lies = false;
  let generations = 1_000;

  const store = (name: string, content: Buffer, more: Partial<StoredObject> = {}) => {
    generations += 1;
    objects.set(name, { content, generation: generations, ...more });
  };
  const describe = (name: string, { content, generation, contentType, contentEncoding }: StoredObject) => {
    const crc32c = new CRC32C();
    crc32c.update(content);
    if (lies) crc32c.update(Buffer.from('x'));
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
  };
  const nextFault = (on: Fault['on']) => {
    const index = faults.findIndex((fault) => fault.on === on);
    return index < 0 ? undefined : faults.splice(index, 1)[0];
  };

  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://storage.test');
    const range = request.headers.range ?? request.headers['content-range'];
    requests.push(`${request.method} ${url.pathname}${range === undefined ? '' : ` ${range}`}`);
    if (request.headers.authorization !== undefined) authorizations.push(request.headers.authorization);
    const [, rest = ''] = url.pathname.split('/storage/v1/b/');
    const [bucket = '', , encoded = ''] = rest.split('/');
    if (!buckets.includes(bucket)) {
      sendError(response, 404, 'The specified bucket does not exist.');
      return;
    }
    if (url.pathname.startsWith('/upload/')) await upload(request, response, { url, bucket });
    else sendObject(request, response, { url, name: `${bucket}/${decodeURIComponent(encoded)}` });
  }

  function sendObject(
    request: IncomingMessage,
    response: ServerResponse,
    { url, name }: { url: URL; name: string },
  ): void {
    const media = url.searchParams.get('alt') === 'media';
    const fault = nextFault(media ? 'download' : 'metadata');
    if (fault?.status !== undefined) {
      sendError(response, fault.status, fault.message ?? 'A fault');
      return;
    }
    const object = objects.get(name);
    const generation = url.searchParams.get('generation');
    if (object === undefined || (generation !== null && generation !== String(object.generation))) {
      sendError(response, 404, `No such object: ${name}`);
      return;
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      response.writeHead(204).end();
      return;
    }
    if (!media) {
      sendJson(response, 200, describe(name, object));
      return;
    }
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
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

  async function upload(
    request: IncomingMessage,
    response: ServerResponse,
    { url, bucket }: { url: URL; bucket: string },
  ): Promise<void> {
    const id = url.searchParams.get('upload_id');
    const fault = nextFault(id === null ? 'begin' : 'chunk');
    const body = await readBody(request, fault?.cutAfter);
    const current = id === null ? undefined : uploads.get(id);
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
    if (fault?.status !== undefined) {
      sendError(response, fault.status, fault.message ?? 'A fault');
      return;
    }
    if (id === null) {
      const session = String(uploads.size + 1);
      const contentType = request.headers['x-upload-content-type']?.toString();
      const name = `${bucket}/${url.searchParams.get('name')}`;
      uploads.set(session, { name, contentType, received: Buffer.alloc(0) });
      const location = `${endpoint}${url.pathname}?uploadType=resumable&upload_id=${session}`;
      response.writeHead(200, { location, 'content-length': 0 }).end();
      return;
    }
    if (current === undefined) {
      sendError(response, 404, 'No such upload');
      return;
    }
    const [, total] = /\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? [];
    if (total === undefined || Number(total) !== current.received.length) {
      const last = current.received.length - 1;
      response.writeHead(308, { 'content-length': 0, ...(last >= 0 && { range: `bytes=0-${last}` }) }).end();
      return;
    }
    store(current.name, current.received, {
      ...(current.contentType !== undefined && { contentType: current.contentType }),
    });
    sendJson(response, 200, describe(current.name, objects.get(current.name) as StoredObject));
  }

  t.teardown(endable(server));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    objects,
    put: (name, content, more) => store(name, Buffer.from(content), more),
    fail: (...more) => void faults.push(...more),
    pending: () => faults.length,
    reset() {
      objects.clear();
      faults.length = 0;
      requests.length = 0;
      lies = false;
    },
    lieAboutChecksums: (does) => {
      lies = does;
    },
    requests,
    authorizations,
  };
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
