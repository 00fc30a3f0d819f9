import { openOutputFile } from './output-file.js';

/** The lists that a conversion writes. */
export type BodyList = 'humanUsers' | 'groups' | 'groupMembers' | 'userMetadata';

/** Where an import body is written, and its properties beside the lists. */
export interface BodyOptions {
  readonly path: string;
  readonly orgId: string;
  /** How long the import may take, such as `30m`. */
  readonly timeout: string;
  /** Writes one record on each line, instead of everything on one line. */
  readonly multiline: boolean;
  /** Writes the form of an instance. Earlier versions take metadata in this form alone. */
  readonly isOfInstance?: boolean;
  /** Whether the import may add active people with neither a password nor a verified address. */
  readonly allowsWithoutCredentials?: boolean;
}

/** An import body that is being written. It has another name until it is complete. */
export interface ImportBody {
  /** A folder beside the output for temporary files. Only its owner may read it. {@link close} removes it. */
  readonly folder: string;
  /**
   * Adds a record to a list. The users come first. Then the records of one list come after those of another.
   * @param record JSON without line feeds
   */
  add(record: string, list?: BodyList): void;
  /** Completes the body and moves it to its path. @param stated the attributes that the source says of every person */
  publish(stated: readonly string[]): void;
  /** Removes everything that was not published. */
  close(): void;
}

/**
 * Begins an import body.
 * @param inputs files that the output must not replace
 * @throws StartError when the output is one of them, also by a link, or when its folder cannot be written
 */
export function openImportBody(options: BodyOptions, inputs: readonly string[]): ImportBody {
  const file = openOutputFile(options.path, inputs);
  const { head, separator, between, tail } = aroundRecords(options);
  let current: BodyList = 'humanUsers';
  let records = 0;

  file.write(head);
  return {
    folder: file.folder,
    add(record, list = 'humanUsers') {
      if (list !== current) {
        file.write(between(list));
        current = list;
        records = 0;
      }
      file.write(records++ === 0 ? record : separator + record);
    },
    publish(stated) {
      file.write(withStated(tail, stated));
      file.publish();
    },
    close: () => file.close(),
  };
}

/** The end of a body with the attributes that the source says of every person. They come last, because only the whole source shows them. */
export function withStated(tail: string, stated: readonly string[]): string {
  if (stated.length === 0) return tail;
  const end = tail.lastIndexOf('}');
  const before = tail.slice(0, end).trimEnd();
  const isSpread = before.length < end;
  const list = JSON.stringify({ statedAttributes: stated }, undefined, isSpread ? 2 : 0);
  // The object of the list ends the body.
  return `${before},${list.slice(1)}${tail.slice(end + 1)}`;
}

/** The text before, between and after the records, and between two lists. */
function aroundRecords({ orgId, timeout, multiline, isOfInstance = false, ...rules }: BodyOptions): {
  head: string;
  separator: string;
  between: (list: BodyList) => string;
  tail: string;
} {
  const mark = 'users';
  const form = isOfInstance ? 'dataOrgsv1' : 'dataOrgs';
  const allowed = rules.allowsWithoutCredentials && { withoutCredentials: 'allow' };
  const body = { timeout, ...allowed, [form]: { orgs: [{ orgId, humanUsers: [mark] }] } };
  const text = JSON.stringify(body, undefined, multiline ? 2 : 0);
  const at = text.lastIndexOf(`"${mark}"`);
  const line = (spaces: number) => (multiline ? `\n${' '.repeat(spaces)}` : '');
  return {
    head: text.slice(0, at),
    separator: `,${line(10)}`,
    between: (list) => `${line(8)}],${line(8)}"${list}":${multiline ? ' ' : ''}[${line(10)}`,
    tail: `${text.slice(at + mark.length + 2)}\n`,
  };
}
