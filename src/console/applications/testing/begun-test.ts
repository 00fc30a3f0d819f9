import { csrfToken, isCsrfToken } from '#src/http/auth/csrf.js';
import { newId } from '#src/platform/ids.js';
import type { ConsoleVisit } from '../../http/visit.js';

/** Where a test ends. The redirect URIs of the application must have it, exactly. */
export const resultPath = '/console/test-sign-in';

/** A test of the sign-in at an application. */
export interface BegunTest {
  readonly orgId: string;
  readonly id: string;
  /** Names the application, with a proof that this session began the test. */
  readonly state: string;
  /** The verifier of the challenge (RFC 7636). Only the session can compute it, so no address and no store has it. */
  readonly codeVerifier: string;
}

type Session = ConsoleVisit['session'];

/** Begins a test. Each has another state and another verifier. */
export function beginTest(session: Session, { orgId, id }: { orgId: string; id: string }): BegunTest {
  const name = [orgId, id, newId()].map(encodeURIComponent).join(' ');
  return {
    orgId,
    id,
    state: `${name} ${csrfToken(agentOf(session), purposeOf('state', name))}`,
    codeVerifier: verifierOf(session, name),
  };
}

/** The test whose answer has this state. Undefined if this session did not begin it. */
export function testOf(session: Session, state: string): BegunTest | undefined {
  const parts = state.split(' ', 5);
  const [orgId = '', id = '', number = '', proof] = parts;
  const name = `${orgId} ${id} ${number}`;
  if (parts.length !== 4 || !isCsrfToken(proof, agentOf(session), purposeOf('state', name))) return undefined;
  return {
    orgId: decodeURIComponent(orgId),
    id: decodeURIComponent(id),
    state,
    codeVerifier: verifierOf(session, name),
  };
}

function verifierOf(session: Session, name: string): string {
  return csrfToken(agentOf(session), purposeOf('verifier', name));
}

function purposeOf(what: 'state' | 'verifier', name: string): string {
  return `console test ${what} ${name}`;
}

function agentOf({ secret }: Session) {
  return { secret, hash: '' };
}
