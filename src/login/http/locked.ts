import type { FastifyReply } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import { texts } from '../texts/texts.js';

/** Waits that are longer are said in hours. */
const mostMinutes = 90;

/** Returns the sentence that says when the person may try again. */
export function lockedText(language: Language, retryAfterSeconds: number): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const [count, unit] =
    minutes <= mostMinutes ? ([minutes, 'minute'] as const) : ([Math.ceil(minutes / 60), 'hour'] as const);
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return texts[language].locked(format.format(count));
}

/** Sets the status and the header of a lock. Returns the sentence for its page, as {@link lockedText}. */
export function answerLocked(
  reply: FastifyReply,
  language: Language,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): string {
  reply.code(429).header('retry-after', String(retryAfterSeconds));
  return lockedText(language, retryAfterSeconds);
}
