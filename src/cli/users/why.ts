import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient } from '../base/admin-client.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { explainConnections, readSeenStates } from './connection-states.js';
import {
  type Explanation,
  explainName,
  explainObstacles,
  explainRefusals,
  explainRules,
  explainSteps,
} from './explain-state.js';
import type { UserOptions } from './find.js';
import { nameHolders } from './name-holders.js';
import { usersNamed } from './require-user.js';
import { nameOf } from './seen-user.js';
import { readSignInState, type SignInState } from './sign-in-state.js';

/** A person whom the name may mean. */
interface Person {
  readonly orgId: string;
  readonly id: string;
  readonly userName: string;
  readonly displayName: string;
  /** Undefined if the organization is being removed. */
  readonly state: SignInState | undefined;
  /** Whether the name means this person at the login page. Undefined if it is an identifier, or the command cannot know. */
  readonly isMeant: boolean | undefined;
  /** What a sign-in by each connection of the organization meets. */
  readonly connections: readonly JsonObject[];
  /** What keeps the person out. */
  readonly explanations: readonly Explanation[];
}

/** Why a name leads to nobody. */
type NameProblem = 'unknownName' | 'ambiguousName' | 'organizationEnded';

/** Runs `muster users why`. Sets the exit code of the process. */
export async function why(text: string, options: UserOptions, output: Output): Promise<void> {
  const name = text.trim();
  if (name === '') throw new StartError('The name is empty.');
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const people = await peopleNamed(client, name, options.org);
  const problem = problemOf(people);
  const isKeptOut = problem !== undefined || people.some(({ explanations }) => explanations.length > 0);
  output.print(tell(name, { people, problem }));
  output.result({
    name,
    canSignIn: !isKeptOut,
    ...(problem !== undefined && { problem }),
    people: people.map(({ state, isMeant, ...person }) => ({
      ...person,
      ...(isMeant !== undefined && { isMeant }),
      ...(state ?? { organizationEnded: true }),
    })),
  });
  if (isKeptOut) endWith('failed');
}

/** Returns everybody whom the name may mean, the one whom it means first. */
async function peopleNamed(client: AdminClient, name: string, org: string | undefined): Promise<Person[]> {
  const everywhere = org === undefined ? await nameHolders(client, name) : undefined;
  const { meant = '', holders = [] } = everywhere ?? {};
  // If nobody has the login name, it may be an identifier, or an address that is not the primary one.
  const found =
    holders.length > 0
      ? holders
      : (await usersNamed(client, name, org)).map((user) => ({ ...user, orgName: undefined }));
  return Promise.all(
    found.map(async ({ orgId, id, userName, displayName, orgName }): Promise<Person> => {
      const person = { orgId, id, userName, displayName };
      const isMeant = everywhere === undefined || id === name ? undefined : id === meant;
      if (orgName === '') return { ...person, state: undefined, isMeant, connections: [], explanations: [] };
      const state = await readSignInState(client, person);
      const connections = await readSeenStates(client, person);
      const ofName = isMeant === false ? [explainName(name, state)] : [];
      return {
        ...person,
        state,
        isMeant,
        connections,
        explanations: [...ofName, ...explainObstacles(state)],
      };
    }),
  );
}

function problemOf(people: readonly Person[]): NameProblem | undefined {
  if (people.length === 0) return 'unknownName';
  const standing = people.filter(({ state }) => state !== undefined);
  if (standing.length === 0) return 'organizationEnded';
  const isMeant = people.some((person) => person.isMeant);
  return standing.length > 1 && !isMeant ? 'ambiguousName' : undefined;
}

function tell(
  name: string,
  { people, problem }: { people: readonly Person[]; problem: NameProblem | undefined },
): string {
  const typed = plainWord(name);
  const beginnings = {
    unknownName: `Nobody within reach has the name ${typed}. Look for the person with muster users find.`,
    ambiguousName: `${people.length} users have the name ${typed}. Each signs in with another name.`,
    organizationEnded: `The organization of ${typed} is being removed. Nobody of it can sign in.`,
  };
  const beginning = problem === undefined ? [] : [beginnings[problem]];
  return [...beginning, ...people.map(tellPerson)].join('\n\n');
}

function tellPerson(person: Person): string {
  const { state, isMeant, explanations } = person;
  const head = `${nameOf(person)}, organization ${plainWord(person.orgId)}`;
  if (state === undefined) return `${head}\n  The organization is being removed.`;
  const refusals = explainRefusals(state);
  const lines = [
    ...(explanations.length === 0 ? ['Nothing keeps this person from signing in.'] : []),
    ...explanations.flatMap(({ reason, remedy }) => [reason, `  Remedy: ${remedy}`]),
    ...explainRules(state),
    explainSteps(state),
    isMeant ? 'At the login page, the name means this person.' : '',
    `Names that always mean this person: ${state.loginNames.map(plainWord).join(', ')}`,
    state.lastAccepted === '' ? '' : `The last right password: ${plainWord(state.lastAccepted)}`,
    refusals.length === 0 ? 'No sign-in was refused in the last 30 days.' : 'Refused sign-ins:',
    ...refusals.map((line) => `  ${line}`),
    ...explainConnections(person.connections),
  ];
  return [head, ...lines.filter((line) => line !== '').map((line) => `  ${line}`)].join('\n');
}
