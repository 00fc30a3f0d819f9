/** Whether the client wants an answer at once and the work later (RFC 7240 section 4.1). */
export function prefersAsync(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []].flat().some((value) => /(^|[,;\s])respond-async($|[,;\s])/i.test(value));
}

/** The part of a reply that this answer needs. Routes with schemas of their own have replies of other types. */
interface AcceptingReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(payload: never): unknown;
}

/** Answers 202 with the address of the job that does the work, without a body. */
export function answerAccepted(
  reply: AcceptingReply,
  { config, jobId }: { config: { readonly baseUrl: string }; jobId: string },
): never {
  reply.code(202);
  reply.header('location', `${config.baseUrl}/admin/v1/jobs/${jobId}`);
  reply.header('preference-applied', 'respond-async');
  return reply.send(undefined as never) as never;
}
