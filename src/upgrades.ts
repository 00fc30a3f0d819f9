import type { Container } from './container.js';
import type { Upgrade } from './platform/mongo/upgrade-documents.js';

/**
 * What `muster upgrade` does to the documents of earlier versions, in this order; each is made with `documentUpgrade`.
 * An entry stays until no instance can be of the version before it.
 */
export function upgrades(_container: Pick<Container, 'mongo'>): readonly Upgrade[] {
  return [];
}
