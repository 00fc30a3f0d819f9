import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../needs/needs.js';
import { lockedText } from './locked.js';
import type { Visit } from './visit.js';

/** Why a form is refused, and what its page shows again. */
export interface FormRefusal {
  /** What the person typed, by field. Never a password or a code. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What is wrong, by field. */
  readonly errors?: Readonly<Record<string, string | undefined>>;
  readonly alert?: string;
  /** What the form carries for its next try, sealed by its page. */
  readonly carried?: string;
}

/** What a page says about its form. */
interface SaidRefusal {
  readonly typed: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly alert?: string;
  readonly carried?: string;
}

/** A refusal as it waits in the address. */
interface KeptRefusal extends SaidRefusal {
  /** The hash of the browser that sent the form. */
  readonly agent: string;
  readonly path: string;
  readonly status: number;
  /** If the person must wait: until when, in milliseconds since 1970, and the text that says so. */
  readonly wait?: { readonly until: number; readonly text: string };
}

type Deps = Pick<LoginNeeds, 'config' | 'clock' | 'refusedFormSealer'>;

/** The longest value that comes back into a field, in characters. No accepted name or address is longer. */
const maxTyped = 350;

/** The longest sealed refusal, in characters. Four fields of the longest values are shorter. */
const maxSealed = 8_000;
const maxBytes = 16_384;

/**
 * Answers a form that was refused with a redirect to its page, which {@link readRefusal} tells what to say (RFC 9110 section 15.4.4). The
 * person may then reload the page and come back to it, and nothing is posted again. The refusal travels sealed in the address, for this
 * browser and this page, so that this service stores nothing and no link can put words into a page. Its status and its `Retry-After` are
 * those of the reply.
 */
export function refuseForm(
  deps: Deps,
  reply: FastifyReply,
  page: {
    readonly visit: Pick<Visit, 'agent' | 'language'>;
    readonly path: string;
    readonly query: Readonly<Record<string, string | undefined>>;
  },
  refusal: FormRefusal,
): FastifyReply {
  const { visit, path, query } = page;
  const { typed = {}, errors = {}, alert, carried } = refusal;
  const seconds = Number(reply.getHeader('retry-after') ?? 0);
  const wait = seconds > 0 && {
    until: deps.clock.now().getTime() + seconds * 1000,
    text: lockedText(visit.language, seconds),
  };
  const content: KeptRefusal = {
    agent: visit.agent.hash,
    path,
    status: reply.statusCode,
    typed: Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.slice(0, maxTyped)])),
    errors: Object.fromEntries(
      Object.entries(errors).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    ),
    ...(alert !== undefined && { alert }),
    ...(carried !== undefined && { carried }),
    ...(wait && { wait }),
  };
  const sealed = deps.refusedFormSealer.seal(deflateRawSync(JSON.stringify(content)));
  reply.removeHeader('retry-after');
  return goTo(reply, pageAddress(deps, path, { ...query, refused: sealed.toString('base64url') }));
}

/**
 * What a page says about its form that this browser sent last. It sets the status of the refusal, and `Retry-After` if the person must
 * still wait. After the wait only the typed texts are left. Undefined for an address of another page or browser, and after a sign-in.
 */
export function readRefusal(
  deps: Deps,
  { request, reply }: HttpExchange,
  { visit, path }: { visit: Pick<Visit, 'agent' | 'language'>; path: string },
): SaidRefusal | undefined {
  const refusal = unseal(deps, request.query);
  if (refusal?.path !== path || refusal.agent !== visit.agent.hash) return undefined;
  const { status, wait, typed, errors, alert, carried } = refusal;
  const still = { typed, errors: {}, ...(carried !== undefined && { carried }) };
  const seconds = wait && Math.ceil((wait.until - deps.clock.now().getTime()) / 1000);
  if (seconds !== undefined && seconds <= 0) return still;
  reply.code(status);
  if (seconds === undefined) return { ...still, errors, ...(alert !== undefined && { alert }) };
  reply.header('retry-after', String(seconds));
  const asNow = (text: string) => (text === wait?.text ? lockedText(visit.language, seconds) : text);
  const shown = Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, asNow(text)]));
  return { ...still, errors: shown, ...(alert !== undefined && { alert: asNow(alert) }) };
}

function unseal({ refusedFormSealer }: Deps, query: unknown): KeptRefusal | undefined {
  const { refused } = (query ?? {}) as { refused?: unknown };
  if (typeof refused !== 'string' || refused.length > maxSealed) return undefined;
  const sealed = refusedFormSealer.unseal(Buffer.from(refused, 'base64url'));
  return sealed && JSON.parse(inflateRawSync(sealed, { maxOutputLength: maxBytes }).toString());
}
