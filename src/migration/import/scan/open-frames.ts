import { ScanError } from './scan-handler.js';

/** An object or a list of the envelope: the body, its data, the list of organizations, one of them, one of its lists. */
export type Frame = 'root' | 'data' | 'orgs' | 'org' | 'section';

/** Keys of one object: the values of an envelope are held until the end. */
const keysOfEnvelope = 32;
const keysOfOthers = 1_000;

/** Which objects and lists are open, and which keys the objects have had. */
export class OpenFrames {
  readonly #frames: { readonly frame: Frame; readonly keys: Set<string> }[] = [];

  /** The innermost. */
  get top(): Frame | undefined {
    return this.#frames.at(-1)?.frame;
  }

  get isTopList(): boolean {
    return this.top === 'orgs' || this.top === 'section';
  }

  open(frame: Frame): void {
    this.#frames.push({ frame, keys: new Set() });
  }

  /** Closes the innermost, and says which it was. */
  close(): Frame | undefined {
    return this.#frames.pop()?.frame;
  }

  /** Notes a key of the innermost object. @throws ScanError when it had it before, or has too many */
  addKey(key: string, place: string): void {
    const { frame, keys } = this.#frames.at(-1) ?? {};
    if (keys?.has(key)) throw new ScanError(`${JSON.stringify(key)} is there twice, at ${place}`);
    keys?.add(key);
    const most = frame === 'root' ? keysOfEnvelope : keysOfOthers;
    if (keys !== undefined && keys.size > most) throw new ScanError(`Too many keys at ${place}`);
  }
}
