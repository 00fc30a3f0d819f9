/** Reads an address. Undefined if it is not an https address, or has credentials before its host. */
export function toHttpsAddress(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}
