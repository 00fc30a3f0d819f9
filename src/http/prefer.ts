/** Whether the client wants an answer at once and the work later (RFC 7240 section 4.1). */
export function prefersAsync(prefer: string | string[] | undefined): boolean {
  return prefers(prefer, 'respond-async');
}

/** Whether the client names this preference, which has no value (RFC 7240 section 2). */
export function prefers(prefer: string | string[] | undefined, preference: string): boolean {
  return [prefer ?? []].flat().some((value) =>
    value
      .toLowerCase()
      .split(/[,;\s]/)
      .includes(preference),
  );
}

/** The part of a reply that this answer needs. Routes with schemas of their own have replies of other types. */
interface AcceptingReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(payload: never): unknown;
}

/** Answers 202 with the address at which the client can follow the work, without a body. */
export function answerAccepted(reply: AcceptingReply, address: string): never {
  reply.code(202);
  reply.header('location', address);
  reply.header('preference-applied', 'respond-async');
  return reply.send(undefined as never) as never;
}
