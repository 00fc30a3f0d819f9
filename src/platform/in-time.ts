/**
 * Waits for work, up to a limit.
 * @throws Error like a Redis command that timed out
 */
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
