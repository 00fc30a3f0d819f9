import type { ConsoleVisit } from '../http/visit.js';
import type { ShownConnection } from './shown-connection.js';

/** What a form shows: what is stored, or what was typed after a refusal. */
export interface ConnectionView {
  readonly visit: ConsoleVisit;
  readonly connection: ShownConnection;
  text(name: string, stored: string): string;
  isOn(name: string, stored: boolean): boolean;
}
