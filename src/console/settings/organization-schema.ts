import type { ExtensionType } from '#src/directory/index.js';
import { ApiProblem, withQuery } from '../http/api.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { apiOf, pathOf } from '../resources/organization-of.js';

/** An attribute that the organization has registered, as the admin API has it. */
export interface OrganizationAttribute {
  readonly name: string;
  readonly type: ExtensionType;
  readonly description: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly unique: boolean;
  readonly searchable: boolean;
  readonly canonicalValues?: readonly string[];
}

/** A schema by which the organization extends its users. */
export interface OrganizationSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly OrganizationAttribute[];
}

/** The path of a schema in the admin API. @throws ApiProblem without an identifier */
export function schemaApi(visit: ConsoleVisit, id: string): string {
  if (id === '') throw new ApiProblem({ status: 404, id: '', detail: 'No schema' });
  return apiOf(visit, `/extension-schemas/${segmentOf(id)}`);
}

/** The path of the page of a schema. */
export function pathOfSchema(visit: ConsoleVisit, id: string, done?: 'saved' | 'removed'): string {
  return withQuery(pathOf(visit, '/settings/schemas/edit'), { id, done });
}
