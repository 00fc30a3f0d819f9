/** A test of tap, or what stands for one outside of it. */
export interface MaySkip {
  pass(message: string, extra: { skip: string }): unknown;
}

/** Says in the report why a test does not run here; `make test` tells it at its end. */
export function notRun(t: MaySkip, reason: string): void {
  t.pass('not run here', { skip: reason });
}
