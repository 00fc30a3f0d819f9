import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Each test file loads this first. tap watches the beginning and the end of every promise of the process, in order to name the test
 * in which an error was thrown that nobody caught. This takes a fifth of the processor time of a file. Without it such an error
 * fails the file all the same, and is printed.
 */
const { createHook } = hooks;
const unwatched = { enable: () => unwatched, disable: () => unwatched };
hooks.createHook = (callbacks) => (callbacks.destroy === undefined ? createHook(callbacks) : unwatched);
syncBuiltinESMExports();
