import type { ApiDocument } from '../openapi/api-document.js';

/** The keywords of a schema that the reference shows. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly patternProperties?: Readonly<Record<string, SchemaObject>>;
  readonly additionalProperties?: SchemaObject | boolean;
  readonly items?: SchemaObject;
  readonly anyOf?: readonly SchemaObject[];
  readonly oneOf?: readonly SchemaObject[];
  readonly allOf?: readonly SchemaObject[];
}

export interface MediaTypeObject {
  readonly schema: SchemaObject;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: SchemaObject;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** An operation of the document, with the address to which it belongs. */
export interface OperationObject {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaTypeObject>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

/** The document, as the pages of the reference read it. */
export interface ReferenceDocument {
  readonly baseUrl: string;
  readonly about: string;
  readonly tags: ApiDocument['tags'];
  readonly operations: readonly OperationObject[];
  readonly schemas: Readonly<Record<string, SchemaObject>>;
  readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  /** The response itself, or the shared one to which it refers. */
  response(part: OperationObject['responses'][string]): ResponseObject;
}

export function referenceDocument(document: ApiDocument, baseUrl: string): ReferenceDocument {
  const shared = document.components['responses'] as Readonly<Record<string, unknown>>;
  return {
    baseUrl,
    about: String(document.info['description']),
    tags: document.tags,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => ({ ...operation, method, path }) as unknown as OperationObject,
      ),
    ),
    schemas: document.components['schemas'] as ReferenceDocument['schemas'],
    securitySchemes: document.components['securitySchemes'] as ReferenceDocument['securitySchemes'],
    response: (part) => ('$ref' in part ? shared[nameIn(part.$ref)] : part) as ResponseObject,
  };
}

/** `#/components/schemas/User` is `User`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
