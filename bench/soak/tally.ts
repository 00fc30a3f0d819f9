/** The result of a request. `lost` is a sign-in that ended because Redis lost it. */
type Outcome = 'right' | 'unavailable' | 'broken' | 'lost' | 'wrong';

export interface Tally {
  count(kind: string, outcome: Outcome, isCalm: boolean): void;
  /** Counts a wrong response and records a description. The report shows the first few. */
  wrong(kind: string, what: string): void;
  readonly wrongs: readonly string[];
  /** The number of all requests, and of those that failed while no fault was active. */
  totals(): { requests: number; calm: number };
  /** Rows of a table, the head first: one row per kind of request, and one for all. */
  rows(): string[][];
}

const outcomes: readonly Outcome[] = ['right', 'unavailable', 'broken', 'lost', 'wrong'];
type Counts = Map<Outcome | 'calm', number>;

export function createTally(): Tally {
  const counts = new Map<string, Counts>();
  const all: Counts = new Map();
  const wrongs: string[] = [];
  const add = (kind: string, what: Outcome | 'calm') => {
    const ofKind: Counts = counts.get(kind) ?? new Map();
    counts.set(kind, ofKind);
    for (const of of [ofKind, all]) of.set(what, (of.get(what) ?? 0) + 1);
  };
  const requestsOf = (of: Counts) => outcomes.reduce((sum, outcome) => sum + (of.get(outcome) ?? 0), 0);
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
    totals: () => ({ requests: requestsOf(all), calm: all.get('calm') ?? 0 }),
    rows() {
      const head = ['kind', 'requests', ...outcomes, 'not right outside of a fault'];
      const row = ([kind, of]: [string, Counts]) => [
        kind,
        ...[requestsOf(of), ...outcomes.map((outcome) => of.get(outcome) ?? 0), of.get('calm') ?? 0].map(
          String,
        ),
      ];
      return [head, ...[...counts].map(row), row(['all', all])];
    },
  };
}
