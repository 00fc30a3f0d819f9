/**
 * Limits that tests do not reach. Tests send more requests from one address in a minute than a client does, and share
 * their cores.
 */
export const noLimits = {
  MUSTER_RATE_LIMIT_PER_ADDRESS: '0',
  MUSTER_RATE_LIMIT_REFUSED: '0',
  MUSTER_RATE_LIMIT_PER_CLIENT: '0',
  MUSTER_RATE_LIMIT_PER_ORGANIZATION: '0',
  MUSTER_RATE_LIMIT_PER_PERSON: '0',
  MUSTER_SHED_DELAY_MILLISECONDS: '0',
};
