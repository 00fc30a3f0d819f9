/** One client that repeats the same work. */
export interface Caller {
  /** @param number is unique among all turns of all callers */
  turn(number: number): Promise<void>;
}
