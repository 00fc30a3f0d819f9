import { withStated } from '../import-body.js';
import { type OutputFile, openOutputFile } from '../output-file.js';

export interface InstanceBodyOptions {
  readonly path: string;
  /** How long the import may take, such as `30m`. */
  readonly timeout: string;
  /** Writes one record on each line, instead of everything on one line. */
  readonly multiline: boolean;
}

/** The body of an import of organizations, list by list. */
export interface InstanceBody extends Pick<OutputFile, 'folder' | 'close'> {
  /** Completes the body and moves it to its path. @param stated the attributes that the source says of every person */
  publish(stated: readonly string[]): void;
  /** Adds a record to a list of the current organization. The records of a list come one after the other. */
  add(list: string, record: string): void;
  /** Ends the current organization. Its own record follows its lists: the keys of an import may have any order. */
  endOrganization(given: { readonly orgId: string; readonly org: object }): void;
}

/** Begins the body. @throws StartError as {@link openOutputFile} */
export function openInstanceBody(options: InstanceBodyOptions, inputs: readonly string[]): InstanceBody {
  const file = openOutputFile(options.path, inputs);
  const line = options.multiline ? '\n' : '';
  file.write(`{"timeout":${JSON.stringify(options.timeout)},"dataOrgsv1":{"orgs":[`);
  let organizations = 0;
  let list: string | undefined;
  let isOpen = false;

  function open(): void {
    if (isOpen) return;
    file.write(`${organizations++ === 0 ? '' : ','}${line}{`);
    isOpen = true;
  }

  return {
    folder: file.folder,
    add(next, record) {
      open();
      if (next === list) file.write(`,${line}${record}`);
      else file.write(`${list === undefined ? '' : '],'}${JSON.stringify(next)}:[${line}${record}`);
      list = next;
    },
    endOrganization(given) {
      open();
      file.write(`${list === undefined ? '' : '],'}${JSON.stringify(given).slice(1)}`);
      list = undefined;
      isOpen = false;
    },
    publish(stated) {
      file.write(withStated(`${line}]}}\n`, stated));
      file.publish();
    },
    close: () => file.close(),
  };
}
