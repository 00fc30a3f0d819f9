import Type, { type TSchema } from 'typebox';

/** One setting: its environment variable, its schema, its default and its documentation. */
export interface Setting {
  readonly env: string;
  readonly schema: TSchema;
  readonly default?: unknown;
  /** The default in words, if it depends on the machine. */
  readonly defaultText?: string;
  /** A secret is never printed. The list of wrong settings does not contain it either. */
  readonly secret?: true;
  readonly about: string;
}

/** Settings of one subject, by their names in `Config`. */
export type Settings = Readonly<Record<string, Setting>>;

export const seconds = (minimum: number) => Type.Integer({ minimum });
export const count = (minimum: number, maximum = 1_000_000) => Type.Integer({ minimum, maximum });
/** Hosts, joined by commas, or none. */
export const hostList = Type.String({
  pattern: '^$|^[A-Za-z0-9.:_\\[\\]-]+(, *[A-Za-z0-9.:_\\[\\]-]+)*$',
  maxLength: 4000,
});
