import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { referenceScript, referenceStyle } from './reference-look.js';

/** A file of the reference page. */
export interface ReferenceFile {
  readonly type: string;
  /** Differs with the content. */
  readonly etag: string;
  /** The content, compressed with gzip. */
  readonly compressed: Buffer;
  /** The content as it is, which is not kept in memory. */
  plain(): Promise<string>;
}

/** The files by their name. Those of Swagger UI are copied beside the programs by `dev/bundle.ts`. */
const sources: Readonly<Record<string, { type: string; read: () => Promise<string> }>> = {
  'swagger-ui.css': { type: 'text/css', read: () => readSwaggerUi('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript', read: () => readSwaggerUi('swagger-ui-bundle.js') },
  'reference.css': { type: 'text/css', read: async () => referenceStyle },
  'reference.js': { type: 'text/javascript', read: async () => referenceScript },
};

const prepared = new Map<string, Promise<ReferenceFile>>();

/** A file of the reference page, which is read and compressed when it is first asked for. Undefined if there is none of this name. */
export function referenceFile(name: string): Promise<ReferenceFile> | undefined {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) return undefined;
  let file = prepared.get(name);
  if (file === undefined) {
    file = prepare(source);
    prepared.set(name, file);
  }
  return file;
}

async function prepare({
  type,
  read,
}: {
  type: string;
  read: () => Promise<string>;
}): Promise<ReferenceFile> {
  const text = await read();
  return {
    type: `${type}; charset=utf-8`,
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    compressed: await promisify(gzip)(text),
    plain: read,
  };
}

function readSwaggerUi(name: string): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve(`#swagger-ui/${name}`), 'utf8');
}
