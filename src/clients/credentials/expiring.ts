/** A span of time. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** What a client authenticates with, as far as it expires. */
interface WithCredentials {
  readonly secrets: readonly { readonly expires?: Date }[];
  readonly keys: readonly { readonly expires?: Date }[];
}

/** Indexes for {@link expiringWithin}. They hold only the documents that have such a time. */
export const expiryIndexes = [
  { key: { 'secrets.expires': 1 }, sparse: true },
  { key: { 'keys.expires': 1 }, sparse: true },
] as const;

/** The condition that a secret or a key expires within the span. */
export function expiringWithin({ from, until }: Span) {
  const within = { $elemMatch: { expires: { $gte: from, $lt: until } } };
  return { $or: [{ secrets: within }, { keys: within }] };
}

/** When the first secret or key of the span expires. */
export function firstExpiry({ secrets, keys }: WithCredentials, { from, until }: Span): Date | undefined {
  const times = [...secrets, ...keys].flatMap(({ expires }) =>
    expires !== undefined && expires >= from && expires < until ? [expires.getTime()] : [],
  );
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
