/** Returns whether the error is that a file could not be opened or written. */
export function isOfDisk(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && ['open', 'write'].includes(String(error.syscall));
}
