import { openOutputFile } from './output-file.js';

/** The lists that a conversion writes. */
export type BodyList =
  | 'humanUsers'
  | 'groups'
  | 'groupMembers'
  | 'userMetadata'
  | 'identityLinks'
  | 'webauthnCredentials';

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
  /** Completes the body and moves it to its path. */
  publish(): void;
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
    publish() {
      file.write(tail);
      file.publish();
    },
    close: () => file.close(),
  };
}

/** The text before, between and after the records, and between two lists. */
function aroundRecords({ orgId, timeout, multiline, isOfInstance = false }: BodyOptions): {
  head: string;
  separator: string;
  between: (list: BodyList) => string;
  tail: string;
} {
  const mark = 'users';
  const form = isOfInstance ? 'dataOrgsv1' : 'dataOrgs';
  const body = { timeout, [form]: { orgs: [{ orgId, humanUsers: [mark] }] } };
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
