import { gzip } from 'node:zlib';

/** The compressed form of a text or of bytes. A thread of Node.js makes it. @param level of zlib, 1 to 9 */
export function gzipBytes(bytes: string | Buffer, level: number): Promise<Buffer> {
  return new Promise((done, failed) => {
    gzip(bytes, { level }, (error, compressed) => (error === null ? done(compressed) : failed(error)));
  });
}
