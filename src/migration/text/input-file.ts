import { type FileHandle, open } from 'node:fs/promises';
import { StartError } from '#src/platform/start-error.js';

/** A file that is read once, from its beginning. The file may be a pipe. A regular file must keep its length until its end is read. */
export class InputFile {
  readonly path: string;
  readonly #handle: FileHandle;
  /** The length when the file was opened. Undefined for a pipe. */
  readonly #size: number | undefined;
  #read = 0;

  private constructor(path: string, handle: FileHandle, size: number | undefined) {
    this.path = path;
    this.#handle = handle;
    this.#size = size;
  }

  /** @throws StartError when the file cannot be opened */
  static async open(path: string): Promise<InputFile> {
    const handle = await open(path).catch(unreadable(path));
    const stats = await handle.stat();
    return new InputFile(path, handle, stats.isFile() && stats.size > 0 ? stats.size : undefined);
  }

  /**
   * Reads into a part of a buffer. Returns the number of bytes, 0 at the end.
   * @throws StartError when the file cannot be read, or became longer or shorter: it is perhaps still being written, and half a file must not
   *   count as a whole one
   */
  async read(buffer: Buffer, offset: number, length: number): Promise<number> {
    const { bytesRead } = await this.#handle.read(buffer, offset, length, null).catch(unreadable(this.path));
    this.#read += bytesRead;
    const size = this.#size;
    if (size !== undefined && (this.#read > size || (bytesRead === 0 && this.#read < size)))
      throw new StartError(`${this.path} changed while it was read. Convert it when it is complete`);
    return bytesRead;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** The error of an input that cannot be opened or read. */
export function unreadableInput(path: string, { message }: Error): StartError {
  return new StartError(`${path} cannot be read: ${message}`);
}

function unreadable(path: string): (error: Error) => never {
  return (error) => {
    throw unreadableInput(path, error);
  };
}
