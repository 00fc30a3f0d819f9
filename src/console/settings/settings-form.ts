import type { Html, HtmlValue } from '#src/http/pages/html.js';
import type { ControlNames } from '../http/refused-form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import type { ShownOrganization } from '../resources/organization-of.js';

/** What a form shows of the organization: what is stored, or what was typed after a refusal. */
export interface FormView {
  readonly visit: ConsoleVisit;
  readonly organization: ShownOrganization;
  readonly isTyped: boolean;
}

/** A form of the settings page. */
export interface SettingsForm {
  readonly key: 'name' | 'signIn' | 'notices' | 'branding' | 'scim' | 'quotas';
  readonly isForInstanceOwners?: true;
  /** The fields whose names differ from those of the API. */
  readonly names?: ControlNames;
  fields(view: FormView): Html;
  /** Hidden fields with what the fields showed. */
  shown?(view: FormView): Readonly<Record<string, string>>;
  /** What stands around the form. */
  around?(view: FormView, form: Html): Html;
  /** The body of the change. */
  change(visit: ConsoleVisit, organization: ShownOrganization): object;
  /** The stored values, for somebody whose form is out of date. */
  stored(visit: ConsoleVisit, organization: ShownOrganization): readonly (readonly [string, HtmlValue])[];
}

/** The text of a field. */
export const fieldContent = ({ visit, isTyped }: FormView, name: string, stored: string) =>
  isTyped ? fieldText(visit, name) : stored;
/** Whether a box is ticked. */
export const isOn = ({ visit, isTyped }: FormView, name: string, stored: boolean) =>
  isTyped ? fieldText(visit, name) === 'on' : stored;
