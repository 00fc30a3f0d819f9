import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pieceBytes } from './body-pieces.js';

/** The event of a response whose socket has taken a part that had to wait. Node.js emits `drain` for other reasons too. */
export const partTaken = 'partTaken';

/**
 * Writes a body that is in memory with as little work as possible. Its head and its first piece are one write: Node.js adds an empty text
 * for the end, and then writes a list of two, which costs each response 2 microseconds more. Longer bytes are written in pieces, all of them at
 * once if the socket takes them: a stream would cost a list of 100 users a tenth of its time.
 *
 * Node.js takes a connection whose response has ended for idle, and a shutdown closes such connections. This response therefore ends only when its
 * socket has taken the body. Between the call of `end` and the end, a write is refused, as Node.js refuses a write after the end.
 */
export class QuickResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  #isWriting = false;
  /** How often the caller corked the response. `writableCorked` of Node.js 20 also counts the corks of Node.js itself. */
  #corks = 0;

  override cork(): void {
    this.#corks += 1;
    super.cork();
  }

  override uncork(): void {
    this.#corks = Math.max(0, this.#corks - 1);
    super.uncork();
  }

  override end(body?: unknown, encoding?: unknown, onEnd?: unknown): this {
    if (this.#isWriting) {
      const ended = callbackIn(body, encoding, onEnd);
      if (ended !== undefined) this.once('finish', ended);
      return this;
    }
    const { socket } = this;
    const end = () => super.end(onEnd as never);
    // The length is known, and nothing waits in the socket.
    const isWhole = this.headersSent && !this.chunkedEncoding && (encoding ?? undefined) === undefined;
    const isFree = socket !== null && socket.writableLength === 0 && socket.writableCorked === 0;
    if (isWhole && isFree && !this.writableEnded) {
      if (typeof body === 'string') return this.#write(body, socket, end);
      if (Buffer.isBuffer(body)) return this.#writePieces(body, socket, end);
    }
    const endAsGiven = () => super.end(body as never, encoding as never, onEnd as never);
    // What the caller corked goes out with the end.
    const mayWait = this.headersSent && !this.writableEnded && this.#corks === 0 && isNothing(body);
    const waits = mayWait && socket !== null && socket.writableLength > 0;
    return waits ? this.#afterTaken(endAsGiven) : endAsGiven();
  }

  override write(chunk: unknown, encoding?: unknown, onWritten?: unknown): boolean {
    if (!this.#isWriting) return super.write(chunk as never, encoding as never, onWritten as never);
    const error = Object.assign(new Error('write after end'), { code: 'ERR_STREAM_WRITE_AFTER_END' });
    process.nextTick(() => {
      callbackIn(encoding, onWritten)?.(error);
      if (!this.destroyed) this.emit('error', error);
    });
    return false;
  }

  #writePieces(left: Buffer, socket: Socket, end: () => void): this {
    return this.#write(left.subarray(0, pieceBytes), socket, () => {
      if (left.length <= pieceBytes) end();
      else this.#writePieces(left.subarray(pieceBytes), socket, end);
    });
  }

  /** Writes a part. @param next called when the socket has taken it, at once if possible, and never if the connection breaks */
  #write(part: string | Buffer, socket: Socket, next: () => void): this {
    // A socket that is not corked would be, until the next turn.
    socket.cork();
    super.write(part);
    socket.uncork();
    if (socket.writableLength === 0) {
      this.#isWriting = false;
      next();
      return this;
    }
    // The callback of the part itself would come in a later turn, also if the socket took it at once.
    return this.#afterTaken(next);
  }

  /** @param next called when the socket has taken what was written, and never if the connection breaks */
  #afterTaken(next: () => void): this {
    this.#isWriting = true;
    super.write('', (error) => {
      if (error || this.destroyed) return;
      this.emit(partTaken);
      this.#isWriting = false;
      next();
    });
    return this;
  }
}

/** The callback among the arguments of a call. Node.js lets callers leave out those before it. */
function callbackIn(...given: readonly unknown[]): ((error?: Error) => void) | undefined {
  return given.find((one): one is (error?: Error) => void => typeof one === 'function');
}

/** Whether the first argument of `end` is no body: it may be a callback. */
function isNothing(body: unknown): boolean {
  return body === undefined || body === null || typeof body === 'function';
}
