/** The limits of requests and answers. They are enforced, and published in `/ServiceProviderConfig`. */
export const limits = {
  /** Users in one page. */
  pageSize: 100,
  bulkOperations: 100,
  bulkPayloadBytes: 1_000_000,
  patchOperations: 1_000,
  /** Characters of a filter. */
  filterLength: 1_000,
} as const;
