import type { Editor } from '#src/audit/event.js';
import type { ExtensionSchemaSettings, ExtensionSchemas, Organization } from '#src/directory/index.js';
import { type ChangeOrganizationDeps, changeOrganization } from '#src/organizations/index.js';
import { withoutSchema, withSchema } from './extension-schema-rules.js';

const none: ExtensionSchemas = { schemas: [], lastKey: 0 };

/**
 * Adds a schema to an organization, or replaces the one with its URN.
 * @throws AppError as {@link withSchema} and {@link changeOrganization}
 */
export function putExtensionSchema(
  deps: ChangeOrganizationDeps,
  { orgId, schema, editor }: { orgId: string; schema: ExtensionSchemaSettings; editor: Editor },
): Promise<Organization> {
  return changeOrganization(deps, {
    orgId,
    editor,
    change: ({ extensionSchemas = none }) => ({ extensionSchemas: withSchema(extensionSchemas, schema) }),
  });
}

/**
 * Removes a schema. Users no longer show its values, and lose them with their next change.
 * @throws AppError `directory.extensionSchemaNotFound`, and as {@link changeOrganization}
 */
export function removeExtensionSchema(
  deps: ChangeOrganizationDeps,
  { orgId, id, editor }: { orgId: string; id: string; editor: Editor },
): Promise<Organization> {
  return changeOrganization(deps, {
    orgId,
    editor,
    change: ({ extensionSchemas = none }) => ({ extensionSchemas: withoutSchema(extensionSchemas, id) }),
  });
}
