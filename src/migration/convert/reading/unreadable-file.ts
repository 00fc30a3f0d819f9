import { StartError } from '#src/platform/start-error.js';

/** The error of a conversion whose input cannot be opened or read. */
export function unreadableFile(path: string, { message }: Error): StartError {
  return new StartError(`${path} cannot be read: ${message}`);
}
