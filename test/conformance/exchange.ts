import type { Test } from 'tap';
import type { Json, ScimClient } from '../support/scim/scim-client.js';

/** One request of a provisioning client and the answer that it relies on. */
export interface Exchange {
  readonly name: string;
  /** Method and path below the SCIM base; `{name}` stands for what an earlier answer was remembered as. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly status: number;
  /** Members that the body must have; others may be there. A regular expression is matched. */
  readonly answer?: Json;
  /** Members that the body must not have, by path such as `name.formatted`. */
  readonly without?: readonly string[];
  readonly answerHeaders?: Readonly<Record<string, RegExp>>;
  /** Remembers members of the answer, by path such as `Resources.0.id`. */
  readonly remember?: Readonly<Record<string, string>>;
}

/** A client's requests in the order in which it sends them. */
export interface Conversation {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** Plays a conversation against an organization of its own. */
export async function play(t: Test, scim: ScimClient, { exchanges }: Conversation): Promise<void> {
  const known: Record<string, string> = { base: scim.absoluteBase };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
  for (const exchange of exchanges) {
    const [method = '', path = ''] = fill(exchange.request).split(/ (.*)/s);
    const answer = await scim.send(method, path, {
      headers: exchange.headers,
      ...(exchange.body !== undefined && { body: filled(exchange.body, fill) }),
    });
    t.equal(answer.status, exchange.status, `${exchange.name}: ${answer.text}`);
    for (const [header, expected] of Object.entries(exchange.answerHeaders ?? {})) {
      t.match(answer.headers[header], expected, `${exchange.name}: ${header}`);
    }
    if (exchange.answer === undefined) {
      if (exchange.status === 204) t.equal(answer.text, '', `${exchange.name}: no body`);
    } else {
      t.match(answer.headers['content-type'], /^application\/scim\+json/, `${exchange.name}: media type`);
      t.match(answer.body, filled(exchange.answer, fill), exchange.name);
    }
    for (const member of exchange.without ?? []) {
      t.equal(memberOf(answer.body, member), undefined, `${exchange.name}: no ${member}`);
    }
    for (const [name, member] of Object.entries(exchange.remember ?? {})) {
      const value = memberOf(answer.body, member);
      t.ok(value !== undefined, `${exchange.name}: ${member} to remember`);
      known[name] = String(value);
    }
  }
}

function memberOf(body: Json, path: string): Json {
  return path.split('.').reduce((value: Json, name) => value?.[name], body);
}

function filled(value: Json, fill: (text: string) => string): Json {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fill));
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, fill)]));
}
