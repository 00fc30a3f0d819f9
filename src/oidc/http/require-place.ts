import type { Container } from '#src/container.js';
import { httpErrors } from '#src/http/errors.js';
import { AppError } from '#src/platform/errors.js';

/**
 * Takes one of the places of an address, for what is kept although whoever asks need not prove anything.
 * @param kept who holds the place, what for, and for how long at most
 * @throws AppError `http.rateLimited` when too much of the address waits
 */
export async function requirePlace(
  { config, waitingPlaces }: Pick<Container, 'config' | 'waitingPlaces'>,
  { holder, id, seconds }: { holder: string; id: string; seconds: number },
): Promise<void> {
  const place = await waitingPlaces.take(holder, id, { limit: config.waitingLoginsPerAddress, seconds });
  if (!place.allowed) throw new AppError(httpErrors.rateLimited, place);
}
