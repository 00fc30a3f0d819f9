/** What became of a request: `lost` is a sign-in that ended with the Redis that held it. */
export type Outcome = 'right' | 'unavailable' | 'broken' | 'lost' | 'wrong';

export interface Tally {
  count(kind: string, outcome: Outcome, isCalm: boolean): void;
  /** Counts a wrong answer and keeps what it was; the first few are shown. */
  wrong(kind: string, what: string): void;
  readonly wrongs: readonly string[];
  /** Lines of a Markdown table, one for each kind of request. */
  table(): string[];
}

const outcomes: readonly Outcome[] = ['right', 'unavailable', 'broken', 'lost', 'wrong'];

export function createTally(): Tally {
  const counts = new Map<string, Map<Outcome | 'calm', number>>();
  const wrongs: string[] = [];
  const add = (kind: string, what: Outcome | 'calm') => {
    const ofKind = counts.get(kind) ?? new Map();
    counts.set(kind, ofKind);
    ofKind.set(what, (ofKind.get(what) ?? 0) + 1);
  };
  return {
    count(kind, outcome, isCalm) {
      add(kind, outcome);
      if (isCalm && outcome !== 'right') add(kind, 'calm');
    },
    wrong(kind, what) {
      add(kind, 'wrong');
      wrongs.push(`${kind}: ${what}`);
    },
    wrongs,
    table() {
      const head = ['requests', ...outcomes, 'not right without a fault'];
      const rows = [...counts].map(([kind, of]) => [
        kind,
        ...[...outcomes, 'calm' as const].map((what) => String(of.get(what) ?? 0)),
      ]);
      return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    },
  };
}
