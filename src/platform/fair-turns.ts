/** Work that waits for a slot of the hash pool. Exactly one of the two is called, once. */
export interface WaitingHash {
  start(): void;
  refuse(): void;
}

/** A bounded queue in which the organizations take turns. Each turn starts the oldest work of one organization. */
export interface HashTurns {
  /**
   * Lets work wait. If the queue is full, the newest work of the organization with the most waiting work is refused. This
   * may be the given work.
   */
  add(orgId: string, waiting: WaitingHash): void;
  /** Removes and returns the work whose turn it is. */
  next(): WaitingHash | undefined;
  /** The amount of waiting work: of one organization, or of all. */
  size(orgId?: string): number;
}

/** @param limit the amount of work that may wait */
export function createHashTurns(limit: number): HashTurns {
  /** In the order of the turns. No list is empty. */
  const byOrganization = new Map<string, WaitingHash[]>();
  let size = 0;

  function longest(): WaitingHash[] {
    return [...byOrganization.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  }

  return {
    add(orgId, waiting) {
      const own = byOrganization.get(orgId) ?? [];
      if (size >= limit) {
        const most = longest();
        if (most.length <= own.length + 1) {
          waiting.refuse();
          return;
        }
        most.pop()?.refuse();
        size--;
      }
      own.push(waiting);
      size++;
      byOrganization.set(orgId, own);
    },
    next() {
      for (const [orgId, list] of byOrganization) {
        const first = list.shift();
        byOrganization.delete(orgId);
        if (list.length > 0) byOrganization.set(orgId, list);
        size--;
        return first;
      }
      return undefined;
    },
    size: (orgId) => (orgId === undefined ? size : (byOrganization.get(orgId)?.length ?? 0)),
  };
}
