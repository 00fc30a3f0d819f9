/** Where an address leads, for people: its host, or its scheme if it has none. */
export function placeOf(address: string): string {
  const { host, protocol } = new URL(address);
  return host === '' ? protocol : host;
}
