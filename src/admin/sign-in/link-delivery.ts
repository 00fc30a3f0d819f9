import Type from 'typebox';
import type { Config } from '#src/config.js';

/** A property of a body: how users get their links. */
export function linkDelivery(description: string) {
  return Type.Optional(
    Type.Unsafe<'answer' | 'mail'>({
      type: 'string',
      enum: ['answer', 'mail'],
      default: 'answer',
      description,
    }),
  );
}

/** A one-time link, as an answer has it. */
export function shownLink(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { secret, expires }: { readonly secret: string; readonly expires: Date },
) {
  return { url: `${baseUrl}/login/password?token=${secret}`, expires: expires.toISOString() };
}
