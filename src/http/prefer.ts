/** Whether the client prefers a response at once, before the work is done (RFC 7240 section 4.1). */
export function prefersAsync(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []].flat().some((value) => /(^|[,;\s])respond-async($|[,;\s])/i.test(value));
}
