/**
 * What ends a request whose connection closed before its answer came. Node.js tells no error if the host switches to a protocol that nobody asked for
 * (101, RFC 9110 section 15.2.2): the request would wait for ever.
 * @param reject of the promise of the answer. After the answer it does nothing
 */
export function unanswered(reject: (error: Error) => void): () => void {
  return () => reject(new Error('The connection ended without an answer'));
}
