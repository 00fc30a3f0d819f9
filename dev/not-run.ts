/** A test of tap, or a replacement for one outside of tap. */
export interface MaySkip {
  pass(message: string, extra: { skip: string }): unknown;
}

/** Reports why a test does not run here. `make test` prints this at its end. */
export function notRun(t: MaySkip, reason: string): void {
  t.pass('not run here', { skip: reason });
}
