import { ScanError } from './scan-handler.js';

/**
 * An object or an array of the envelope: the body, `dataOrgs`, the array `orgs`, one organization, or one list of an
 * organization.
 */
export type Frame = 'root' | 'data' | 'orgs' | 'org' | 'section';

/** The most keys of one object. The scanner keeps all values of the body in memory, so the body may have fewer. */
const maxKeysOfBody = 32;
const maxKeysOfOthers = 1_000;

/** The frames that enclose the next byte, and the keys that they have had. */
export class OpenFrames {
  readonly #frames: { readonly frame: Frame; readonly keys: Set<string> }[] = [];

  /** The innermost frame. */
  get top(): Frame | undefined {
    return this.#frames.at(-1)?.frame;
  }

  get isTopList(): boolean {
    return this.top === 'orgs' || this.top === 'section';
  }

  open(frame: Frame): void {
    this.#frames.push({ frame, keys: new Set() });
  }

  /** Closes the innermost frame. @returns that frame */
  close(): Frame | undefined {
    return this.#frames.pop()?.frame;
  }

  /** Adds a key to the innermost frame. @throws ScanError when the frame has the key, or has too many keys */
  addKey(key: string, place: string): void {
    const { frame, keys } = this.#frames.at(-1) ?? {};
    if (keys?.has(key)) throw new ScanError(`${JSON.stringify(key)} is there twice, at ${place}`);
    keys?.add(key);
    const most = frame === 'root' ? maxKeysOfBody : maxKeysOfOthers;
    if (keys !== undefined && keys.size > most) throw new ScanError(`Too many keys at ${place}`);
  }
}
