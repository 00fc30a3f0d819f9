/** Why a document of another service could not be read. */
export type OutgoingProblem =
  | 'notHttps'
  | 'privateAddress'
  | 'unknownHost'
  | 'unresolvedHost'
  | 'unreachable'
  | 'untrusted'
  | 'tooSlow'
  | 'wrongStatus'
  | 'tooLarge'
  | 'notJson';

/** A request to another service that failed. Its message is for people, and says nothing of what the service answered. */
export class OutgoingError extends Error {
  readonly problem: OutgoingProblem;

  constructor(problem: OutgoingProblem, message: string) {
    super(message);
    this.name = 'OutgoingError';
    this.problem = problem;
  }
}
