import t from 'tap';
import type { SignInRules } from '#src/authentication/proofs/index.js';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import { chooseSession } from '#src/oidc/authorize/choose-session.js';
import { RedirectedError } from '#src/oidc/authorize/request/errors.js';
import type { Session } from '#src/sessions/session.js';

const now = new Date('2026-01-01T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

function session(userName: string, differences: Partial<Session> = {}): Session {
  return {
    id: `session-${userName}`,
    userId: `user-${userName}`,
    orgId: 'org',
    userName,
    displayName: userName,
    authTime: secondsAgo(600),
    lastUsed: secondsAgo(600),
    proofs: [{ kind: 'password', time: (differences.authTime ?? secondsAgo(600)).getTime() }],
    created: secondsAgo(600),
    expires: secondsAgo(-600),
    ...differences,
  };
}

const ada = session('ada');
const grace = session('grace');
const strong = session('strong', {
  proofs: [
    { kind: 'password', time: secondsAgo(600).getTime() },
    { kind: 'code', time: secondsAgo(600).getTime() },
  ],
});
const stranger = session('stranger', { orgId: 'elsewhere' });

interface Row {
  sessions: Session[];
  request?: Partial<AuthorizationRequest>;
  orgOnly?: boolean;
  rules?: SignInRules;
}

/** The user's name, whether the session lacks a proof, the page that is asked for, or the error. */
function outcome({ sessions, request = {}, orgOnly = false, rules = {} }: Row): string {
  try {
    const choice = chooseSession({
      request: {
        id: 'r',
        clientId: 'c',
        redirectUri: 'https://a.example/',
        responseType: 'code',
        responseMode: 'query',
        scope: 'openid',
        prompts: [],
        uiLocales: [],
        created: secondsAgo(60),
        ...request,
      },
      application: { orgId: 'org', orgOnly },
      sessions,
      rulesOf: () => rules,
      now,
    });
    if ('lacking' in choice) return `${choice.lacking.session.userName} lacks`;
    return 'ask' in choice ? choice.ask : choice.session.userName;
  } catch (error) {
    if (error instanceof RedirectedError) return error.code;
    throw error;
  }
}

t.test('nothing is chosen yet', async (t) => {
  const none = { prompts: ['none' as const] };
  const rows: [expected: string, row: Row][] = [
    ['login', { sessions: [] }],
    ['ada', { sessions: [ada] }],
    ['select', { sessions: [ada, grace] }],
    ['login_required', { sessions: [], request: none }],
    ['interaction_required', { sessions: [ada, grace], request: none }],
    ['ada', { sessions: [ada], request: none }],
    ['grace', { sessions: [ada, grace], request: { ...none, loginHint: 'Grace' } }],
    ['login', { sessions: [ada], request: { loginHint: 'grace' } }],
    ['login_required', { sessions: [ada], request: { ...none, hintedUserId: 'user-grace' } }],
    ['grace', { sessions: [ada, grace], request: { hintedUserId: 'user-grace', loginHint: 'ada' } }],
    ['ada', { sessions: [ada], request: { maxAge: 600 } }],
    ['ada lacks', { sessions: [ada], request: { maxAge: 599 } }],
    ['login_required', { sessions: [ada], request: { ...none, maxAge: 599 } }],
    ['login', { sessions: [ada], request: { prompts: ['login'] } }],
    ['select', { sessions: [ada], request: { prompts: ['select_account'] } }],
    ['login', { sessions: [], request: { prompts: ['select_account'] } }],
    ['register', { sessions: [ada], request: { prompts: ['create'] } }],
    ['ada', { sessions: [ada, stranger], orgOnly: true }],
    ['login', { sessions: [stranger], orgOnly: true }],
    ['stranger', { sessions: [stranger] }],
    [
      'stranger',
      { sessions: [ada, stranger], request: { scope: 'openid urn:service:iam:org:id:elsewhere' } },
    ],
  ];
  for (const [expected, row] of rows) t.equal(outcome(row), expected, JSON.stringify(row.request));
});

t.test('the person chose or signed in', async (t) => {
  const fresh = session('ada', { authTime: secondsAgo(10) });
  const sessionId = ada.id;
  const rows: [expected: string, row: Row][] = [
    ['ada', { sessions: [ada, grace], request: { sessionId } }],
    ['ada', { sessions: [ada], request: { sessionId, prompts: ['select_account'] } }],
    ['login', { sessions: [ada], request: { sessionId, prompts: ['login'] } }],
    ['ada', { sessions: [fresh], request: { sessionId, prompts: ['login'] } }],
    ['login', { sessions: [ada], request: { sessionId, prompts: ['select_account', 'login'] } }],
    ['register', { sessions: [ada], request: { sessionId, prompts: ['create'] } }],
    ['ada', { sessions: [fresh], request: { sessionId, prompts: ['create'] } }],
    ['ada lacks', { sessions: [ada], request: { sessionId, maxAge: 300 } }],
    ['ada', { sessions: [fresh], request: { sessionId, maxAge: 0 } }],
    ['login_required', { sessions: [fresh], request: { sessionId, hintedUserId: 'user-grace' } }],
    ['ada', { sessions: [fresh], request: { sessionId, loginHint: 'grace' } }],
    ['access_denied', { sessions: [stranger], request: { sessionId: stranger.id }, orgOnly: true }],
    ['access_denied', { sessions: [ada], request: { sessionId, scope: 'openid urn:service:iam:org:id:x' } }],
    ['login', { sessions: [], request: { sessionId } }],
    ['select', { sessions: [grace], request: { sessionId } }],
  ];
  for (const [expected, row] of rows) t.equal(outcome(row), expected, JSON.stringify(row.request));
});

t.test('claims say who must sign in, and how', async (t) => {
  const needs = (...acrs: string[]) => ({ claims: { acrs } });
  const none: Partial<AuthorizationRequest> = { prompts: ['none'] };
  const chosen = { sessionId: ada.id };
  const fresh = session('ada', { authTime: secondsAgo(30) });
  const rows: [expected: string, row: Row][] = [
    ['grace', { sessions: [ada, grace], request: { subjects: [grace.userId] } }],
    ['login', { sessions: [ada], request: { subjects: [grace.userId] } }],
    ['login_required', { sessions: [ada], request: { ...none, subjects: [grace.userId] } }],
    ['login_required', { sessions: [ada], request: { ...chosen, subjects: [grace.userId] } }],
    ['select', { sessions: [ada, grace], request: { subjects: [ada.userId, grace.userId] } }],
    ['strong', { sessions: [strong], request: needs('2') }],
    ['strong', { sessions: [strong], request: needs('1') }],
    ['ada', { sessions: [ada], request: needs('1', '2') }],
    ['ada lacks', { sessions: [ada], request: needs('2') }],
    ['login_required', { sessions: [ada], request: { ...none, ...needs('2') } }],
    ['ada lacks', { sessions: [ada], request: { ...chosen, ...needs('2') } }],
    ['ada lacks', { sessions: [fresh], request: { ...chosen, ...needs('2') } }],
    ['ada lacks', { sessions: [fresh], request: { ...chosen, ...needs('gold') } }],
  ];
  for (const [expected, row] of rows) t.equal(outcome(row), expected, JSON.stringify(row.request));
});
