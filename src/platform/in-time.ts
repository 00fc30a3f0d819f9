/** Waits for work, but no longer than this. @throws as a command of Redis does that is not answered in time */
export async function inTime(work: Promise<unknown> | undefined, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Command timed out')), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
