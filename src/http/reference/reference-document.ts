import type { ApiDocument } from '../openapi/api-document.js';

/** The keywords of a schema that the reference shows. */
export interface SchemaPart {
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
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties?: SchemaPart | boolean;
  readonly items?: SchemaPart;
  readonly anyOf?: readonly SchemaPart[];
  readonly oneOf?: readonly SchemaPart[];
  readonly allOf?: readonly SchemaPart[];
}

export interface ContentPart {
  readonly schema: SchemaPart;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface ParameterPart {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: SchemaPart;
}

export interface ResponsePart {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, ContentPart>>;
}

/** An operation of the document, with the address to which it belongs. */
export interface OperationPart {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterPart[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, ContentPart>>;
  };
  readonly responses: Readonly<Record<string, ResponsePart | { readonly $ref: string }>>;
}

/** The document, as the pages of the reference read it. */
export interface ReferenceDocument {
  readonly baseUrl: string;
  readonly about: string;
  readonly tags: ApiDocument['tags'];
  readonly operations: readonly OperationPart[];
  readonly schemas: Readonly<Record<string, SchemaPart>>;
  readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  /** The response itself, or the shared one to which it refers. */
  response(part: OperationPart['responses'][string]): ResponsePart;
}

export function referenceDocument(document: ApiDocument, baseUrl: string): ReferenceDocument {
  const shared = document.components['responses'] as Readonly<Record<string, unknown>>;
  return {
    baseUrl,
    about: String(document.info['description']),
    tags: document.tags,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => ({ ...operation, method, path }) as unknown as OperationPart,
      ),
    ),
    schemas: document.components['schemas'] as ReferenceDocument['schemas'],
    securitySchemes: document.components['securitySchemes'] as ReferenceDocument['securitySchemes'],
    response: (part) => ('$ref' in part ? shared[nameIn(part.$ref)] : part) as ResponsePart,
  };
}

/** `#/components/schemas/User` is `User`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
