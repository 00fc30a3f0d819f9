/**
 * Ends a start with one sentence that tells the person who starts the process everything. It has a file of its own, so that
 * programs that need no store load no driver.
 */
export class StartError extends Error {}
