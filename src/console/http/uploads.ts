import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestNote } from '#src/http/base/request-note.js';
import { AppError } from '#src/platform/errors.js';
import { consoleErrors } from './errors.js';

/** A form with a file (RFC 7578), read as far as the file begins. */
export interface Upload {
  /** The fields before the file. */
  readonly fields: Readonly<Record<string, string>>;
  /** The file, while it arrives. Undefined if the form has none. It fails if the browser breaks off. */
  readonly file: Readable | undefined;
  /** Discards what is left, so that the browser sees the response. */
  end(): void;
}

/** One field may be a whole document. */
const limits = { fields: 20, fieldSize: 270_000, fieldNameSize: 100, files: 1, parts: 21 };
/** The most characters of all fields together. */
const mostCharacters = 400_000;
const type = 'multipart/form-data';

const uploads = requestNote<Promise<Upload>>('uploads');

/** Lets the forms of this scope have files. Their bodies are streams, which {@link uploadOf} reads. */
export function takeUploads(scope: FastifyInstance): void {
  if (!scope.hasContentTypeParser(type))
    scope.addContentTypeParser(type, (_request, payload, done) => done(null, payload));
}

/** The upload of a request. It is read once. @throws AppError `console.uploadMalformed` */
export function uploadOf(request: FastifyRequest): Promise<Upload> {
  const reading = uploads.get(request) ?? read(request);
  uploads.set(request, reading);
  return reading;
}

function read({ body, headers, raw }: FastifyRequest): Promise<Upload> {
  return new Promise((resolve, reject) => {
    if (!(body instanceof Readable)) throw new AppError(consoleErrors.uploadMalformed);
    const malformed = (cause: unknown) => reject(new AppError(consoleErrors.uploadMalformed, { cause }));
    const fields: Record<string, string> = {};
    let length = 0;
    const parser = parserOf(headers['content-type'] ?? '');
    let file: Readable | undefined;
    const end = () => {
      body.unpipe(parser);
      body.resume();
    };
    const brokeOff = () => {
      if (body.readableEnded) return;
      malformed(undefined);
      file?.destroy(new Error('The upload broke off'));
    };
    parser.on('field', (name, value) => {
      length += value.length;
      if (length > mostCharacters) {
        end();
        malformed(undefined);
        return;
      }
      if (!Object.hasOwn(fields, name) && file === undefined) fields[name] = value;
    });
    parser.on('file', (_name, stream) => {
      file = stream;
      // A handler that has stopped reading needs no error.
      stream.on('error', () => undefined);
      resolve({ fields, file, end });
    });
    parser.on('finish', () => resolve({ fields, file, end }));
    parser.on('error', (error) => {
      malformed(error);
      file?.destroy(error instanceof Error ? error : new Error('The upload is malformed'));
    });
    body.once('error', brokeOff);
    raw.once('close', brokeOff);
    body.pipe(parser);
  });
}

function parserOf(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (cause) {
    throw new AppError(consoleErrors.uploadMalformed, { cause });
  }
}
