/**
 * This process cannot read what an open job is about: it lacks the master key that sealed it, or another version stored it. Another process
 * may be able to. So no attempt ends the job: it is tried again with pauses until its deadline.
 */
export class UnreadableJob extends Error {
  constructor(jobId: string) {
    super(`The input of job ${jobId} is of another master key or of another version`);
  }
}
