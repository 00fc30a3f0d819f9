import type { ValueShape } from '#src/directory/index.js';
import type { ApplicationSettings, ApplicationType, GivenSettings } from './application.js';

export type ApplicationSettingName = keyof ApplicationSettings;

/** The value of any setting. */
export type SettingValue = string | boolean | readonly string[];

/** How the form of the console shows a setting. The console has its label as a text of the same name. */
interface SettingForm {
  /** The fields of `signIn` come first, and an API has none of them. Those of `more` are folded. */
  readonly section: 'signIn' | 'more';
  /** Whether the console has a text `${name}Hint` that stands below the field. A set has none. */
  readonly hint?: true;
  /** The lines that a field for addresses shows at once. */
  readonly rows?: number;
  /** The name of a field that asks for the opposite: a tick in it means false. */
  readonly opposite?: string;
}

/** A text. A rule checks it. The bound limits the work of the rule. */
interface TextSetting {
  readonly kind: 'text';
  readonly maxLength: number;
  readonly shape: ValueShape;
}

/** One of some words. `valuesOf` has those that an application of a type can have. */
interface ChoiceSetting<T> {
  readonly kind: 'choice';
  readonly values: readonly T[];
  readonly valuesOf?: Readonly<Record<ApplicationType, readonly T[]>>;
}

interface FlagSetting {
  readonly kind: 'flag';
}

/** Several of some words, in no order. */
interface SetSetting<T> {
  readonly kind: 'set';
  readonly values: readonly T[];
  readonly valuesOf?: Readonly<Record<ApplicationType, readonly T[]>>;
  readonly maxItems: number;
}

/** Addresses to which a browser may be sent. */
interface AddressesSetting {
  readonly kind: 'addresses';
  readonly maxItems: number;
}

/** Identifiers of other objects, in no order. */
interface IdentifiersSetting {
  readonly kind: 'identifiers';
  readonly maxItems: number;
}

/** The kind that has values of the type T. */
type KindOf<T> = [T] extends [boolean]
  ? FlagSetting
  : [T] extends [readonly (infer Item)[]]
    ? string extends Item
      ? AddressesSetting | IdentifiersSetting
      : SetSetting<Item>
    : string extends T
      ? TextSetting
      : ChoiceSetting<T>;

/**
 * Whether an application always has the setting. If it is neither required nor has a default, an application may lack it, and a
 * change may remove it. In the form of the console, the empty word of a choice removes it.
 */
type Presence<T> =
  | { readonly required: true; readonly default?: never; readonly form?: never }
  | {
      readonly required?: never;
      readonly default: T | ((given: GivenSettings) => T);
      readonly form?: SettingForm;
    }
  | {
      readonly required?: never;
      readonly default?: never;
      readonly form?: SettingForm;
      readonly isFixed?: never;
    };

interface Traits<T> {
  /** What the description of the API says of it. */
  readonly description?: string;
  /** Whether it cannot be changed after the application was added. The form, which changes applications, then lacks it. */
  readonly isFixed?: true;
  /** Whether an API has none. Its records in files and its form then lack it. */
  readonly signInOnly?: true;
  /** Returns the value as it is stored. @throws AppError `directory.valueInvalid`, `directory.valueMissing` */
  rule?(value: T, type: ApplicationType): T;
}

/** A row of the table of settings, for values of the type T. */
export type SettingRow<T> = Traits<T> & Presence<T> & KindOf<T>;

/** Any row of the table. */
export type AnySetting = Traits<SettingValue> &
  Presence<SettingValue> &
  (
    | TextSetting
    | ChoiceSetting<string>
    | FlagSetting
    | SetSetting<string>
    | AddressesSetting
    | IdentifiersSetting
  );
