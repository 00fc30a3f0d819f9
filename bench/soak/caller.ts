/** One client that does the same again and again. */
export interface Caller {
  /** @param number differs in each turn of all callers */
  turn(number: number): Promise<void>;
}
