import type { FastifyRequest } from 'fastify';

/** What a request has been found to be, such as its caller, for those who handle it later. */
export interface RequestNote<T> {
  get(request: FastifyRequest): T | undefined;
  set(request: FastifyRequest, value: T): void;
}

/**
 * Returns a note that each request can have. It is a property of the request under a symbol that nobody else has. A `WeakMap` with the
 * requests as keys would make garbage collection slow: it cost a third of the processor time of a token request.
 */
export function requestNote<T>(name: string): RequestNote<T> {
  const key = Symbol(name);
  type Noted = FastifyRequest & { [key]?: T };
  return {
    get: (request) => (request as Noted)[key],
    set: (request, value) => {
      (request as Noted)[key] = value;
    },
  };
}
