/** An image as a file names it. */
export interface Reference {
  /** With the host of the registry if the file names one, such as `mongo` or `registry.example.com/muster`. */
  readonly name: string;
  readonly tag?: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest?: string;
}

const form =
  /^(?<name>(?:[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?\/)?[a-z0-9]+(?:(?:__?|-+|[./])[a-z0-9]+)*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

/** Reads a reference. Undefined for a text that is none, such as one with a variable. */
export function readReference(text: string): Reference | undefined {
  const { name, tag, digest } = form.exec(text)?.groups ?? {};
  return name === undefined ? undefined : { name, ...(tag && { tag }), ...(digest && { digest }) };
}

/** The text of a reference. */
export function textOf({ name, tag, digest }: Reference): string {
  return name + (tag === undefined ? '' : `:${tag}`) + (digest === undefined ? '' : `@${digest}`);
}

/** Three numbers, and what the image is based on, such as `24.21.0-bookworm-slim`. */
const fullVersion = /^v?\d+\.\d+\.\d+(?:[._-][a-z0-9]+)*$/;
/** What publishers call a build that follows their newest state. */
const newest = /[._-](?:latest|edge|nightly|rolling|snapshot|dev|main|master)(?:[._-]|$)/;

/** Whether `make image` or the operator builds the image, so that no registry of others has it. */
export function isOwn({ name }: Reference): boolean {
  return name === 'muster' || /^(?!docker\.io\/)[^/]*[.:][^/]*\/(?:.*\/)?muster$/.test(name);
}

/**
 * Says why a reference may mean another image tomorrow, as the rest of a sentence. Undefined if it has a digest or the tag of a
 * full version, or if it is built on this machine.
 */
export function whyMoving(text: string): string | undefined {
  const reference = readReference(text);
  if (reference === undefined) return 'is no name of an image that can be read here';
  const { name, tag, digest } = reference;
  if (digest !== undefined || (name === 'muster' && (tag === undefined || tag === 'local'))) return undefined;
  if (tag === undefined) return 'has no tag, which means `latest`';
  return fullVersion.test(tag) && !newest.test(tag)
    ? undefined
    : `has the moving tag \`${tag}\` instead of a full version`;
}
