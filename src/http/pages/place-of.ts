/**
 * Where an address leads, for people: its host. For a private scheme it is the scheme, because what stands in the place of a host
 * belongs to nobody: `evil://bank.example` leads to no bank.
 */
export function placeOf(address: string): string {
  const { host, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}
