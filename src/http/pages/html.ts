import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Markup that is safe to send. Not exported as a value: only this file makes it. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Markup whose text was escaped when it was put in. */
export type Html = Markup;

/** What may stand in a template: text is escaped, lists are joined, absent and false values leave nothing. */
export type HtmlValue = Html | string | number | boolean | undefined | null | readonly HtmlValue[];

/** Template tag that escapes every value, for text and for attributes in quotes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Markup(parts.map((part, index) => part + markupOf(values[index])).join(''));
}

/** A script or style sheet in the page. Its source is a constant of ours, and the page's policy must allow it. */
export function inlineElement(name: 'script' | 'style', source: string): Html {
  return new Markup(`<${name}>${source}</${name}>`);
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Markup) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join('');
  if (value === undefined || value === null || typeof value === 'boolean') return '';
  return escapeText(String(value));
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/** What a page may do besides showing itself. */
export interface PageOptions {
  /**
   * Addresses of other places that its forms lead to, directly or by redirect. Of each the policy names the scheme
   * alone: browsers hold every redirect after a form to it, also those by which a client sends them on to a host of
   * its own that nobody here knows.
   */
  readonly formTargets?: readonly string[];
  /** The one script in the page, exactly as it stands there. */
  readonly script?: string;
  /** Whether the script asks this service for more. */
  readonly connects?: boolean;
  /** The page's style sheet in the page, exactly as it stands there. */
  readonly style?: string;
  /** Addresses that images may come from. */
  readonly imageSources?: readonly string[];
}

/** Answers with a page that no cache keeps, no frame shows, and that tells nobody where it was. */
export function sendPage(reply: FastifyReply, page: Html, options: PageOptions = {}): FastifyReply {
  return withoutTraces(reply)
    .header('content-security-policy', contentSecurityPolicy(options))
    .header('x-frame-options', 'DENY')
    .type('text/html; charset=utf-8')
    .send(page.toString());
}

/** Headers of every answer of a person's way through signing in and out: the addresses carry codes and identifiers. */
export function withoutTraces(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff');
}

function contentSecurityPolicy(options: PageOptions): string {
  const { formTargets = [], script, connects = false, style, imageSources = [] } = options;
  return [
    "default-src 'none'",
    `script-src ${script === undefined ? "'none'" : hashSource(script)}`,
    `style-src 'self'${style === undefined ? '' : ` ${hashSource(style)}`}`,
    `img-src ${["'self'", ...imageSources.map(originSource)].join(' ')}`,
    `form-action ${["'self'", ...new Set(formTargets.map(schemeSource))].join(' ')}`,
    ...(connects ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

function schemeSource(address: string): string {
  return new URL(address).protocol;
}

/** An address as a source of a policy: its origin, or the scheme alone where a policy cannot name the origin. */
function originSource(address: string): string {
  const { protocol, origin } = new URL(address);
  return /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) ? origin : protocol;
}
