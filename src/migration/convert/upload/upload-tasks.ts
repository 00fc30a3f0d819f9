import { StartError } from '#src/platform/start-error.js';
import { InputError, type KnownProblem } from '../reading/conversion-problems.js';
import { type ConvertedUpload, convertUpload } from './convert-upload.js';
import { linesWith } from './person-lines.js';
import {
  readUpload,
  recognizeUpload,
  UnreadableUpload,
  type UploadFault,
  type UploadKind,
} from './recognize-upload.js';

/** Something that takes processor time for the size of a file. */
export type UploadTask =
  /** Reads the bytes of a file, and says what it is if the person does not. */
  | { readonly task: 'read'; readonly bytes: Uint8Array; readonly kind: UploadKind | undefined }
  | {
      readonly task: 'convert';
      readonly kind: Exclude<UploadKind, 'muster'>;
      readonly text: Uint8Array;
      readonly options: Parameters<typeof convertUpload>[1];
    }
  /** Finds the lines of names: see {@link linesWith}. */
  | { readonly task: 'lines'; readonly text: Uint8Array; readonly names: readonly string[] };

/** A task without the folder, which `runUploadTask` makes. */
export type GivenTask =
  | Exclude<UploadTask, { task: 'convert' }>
  | (Omit<Extract<UploadTask, { task: 'convert' }>, 'options'> & {
      readonly options: Omit<Parameters<typeof convertUpload>[1], 'folder'>;
    });

/** What came of a task. `fault` and `why`: what is wrong with the file. */
export interface UploadTaskResult {
  readonly read?: { readonly kind: UploadKind; readonly text: Uint8Array };
  readonly converted?: Omit<ConvertedUpload, 'body'> & { readonly body?: Uint8Array };
  readonly lines?: ReadonlyMap<string, number>;
  readonly fault?: UploadFault;
  readonly why?: KnownProblem;
}

/** Does a task. Only faults of the program are thrown. */
export async function doUploadTask(given: UploadTask): Promise<UploadTaskResult> {
  try {
    return await resultOf(given);
  } catch (error) {
    if (error instanceof UnreadableUpload) return { fault: error.fault };
    if (error instanceof InputError) return { why: error.known };
    if (error instanceof StartError) return { why: { id: 'other', params: { detail: error.message } } };
    throw error;
  }
}

async function resultOf(given: UploadTask): Promise<UploadTaskResult> {
  if (given.task === 'lines') return { lines: linesWith(bufferOf(given.text), given.names) };
  if (given.task === 'read') {
    const text = readUpload(bufferOf(given.bytes));
    return { read: { kind: given.kind ?? recognizeUpload(text), text } };
  }
  const { kind, text, options } = given;
  return { converted: await convertUpload({ kind, text: bufferOf(text) }, options) };
}

/** A message between threads makes a plain array of a buffer. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
