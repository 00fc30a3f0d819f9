/**
 * Returns a function that runs some work for a key. Callers that name the same key while the work runs get its result, or its error.
 * The next caller after its end starts the work again. Nothing is kept.
 */
export function createSingleFlight<K, T>(): (key: K, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<K, Promise<T>>();
  return (key, work) => {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
