import { StartError } from '#src/platform/start-error.js';
import { InputError } from '../reading/conversion-problems.js';
import type { ElementSource } from '../reading/each-element.js';

/** The realm of Keycloak that is converted, of those that the files have. */
interface ChosenRealm {
  readonly label: NonNullable<ElementSource['label']>;
  /** Whether what follows belongs to the realm. @throws StartError when the file has not named its realm yet */
  isChosen(place: { file: string; line: number }): boolean;
  /** Does something if what follows belongs to the realm, as soon as that is known: its name may come later. */
  whenChosen(work: () => void): void;
  /** @throws StartError when the files have several realms and none was chosen, or lack the chosen one */
  requireOne(files: readonly string[]): void;
}

const mostRealms = 1_000;
/** A realm has some hundred members. */
const mostWaiting = 1_000;
const mostShown = 20;

/** @param wanted the name of a realm. Absent if the files have one realm alone */
export function chooseRealm(wanted: string | undefined): ChosenRealm {
  const found = new Set<string>();
  let current: string | undefined;
  let waiting: (() => void)[] = [];
  return {
    label: {
      member: 'realm',
      begin() {
        current = undefined;
        waiting = [];
      },
      take(name) {
        current = name;
        if (name === wanted) for (const work of waiting) work();
        waiting = [];
        if (found.size < mostRealms) found.add(name);
      },
    },
    isChosen({ file, line }) {
      if (wanted === undefined) return true;
      if (current === undefined) {
        throw new StartError(`${file}:${line}: the realm has its name after its users. Put "realm" first`);
      }
      return current === wanted;
    },
    whenChosen(work) {
      if (wanted === undefined || current === wanted) work();
      else if (current === undefined && waiting.length < mostWaiting) waiting.push(work);
    },
    requireOne(files) {
      const names = [...found].slice(0, mostShown).map((name) => JSON.stringify(name.slice(0, 100)));
      const list = names.length === 0 ? 'none that has a name' : names.join(', ');
      if (wanted === undefined && found.size > 1) {
        const text = `${files.join(', ')} has the realms ${list}. Name one with --realm-name`;
        throw new InputError('severalRealms', text, { list });
      }
      if (wanted !== undefined && !found.has(wanted)) {
        throw new StartError(
          `${files.join(', ')} has no realm ${JSON.stringify(wanted)}. Its realms: ${list}`,
        );
      }
    },
  };
}
