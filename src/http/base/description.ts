/** A part of the document: its properties by name. */
export type DocumentNode = Readonly<Record<string, unknown>>;

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. A schema of TypeBox is one. */
export type JsonSchema = object;

/** The keywords of a schema. */
export function keywordsOf(schema: JsonSchema): DocumentNode {
  return schema as DocumentNode;
}

/** A named example of a body. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** Bodies by their media type. */
export type Content = Readonly<Record<string, MediaType>>;

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  readonly content?: Content;
}

/** A header of responses that the document explains. */
export type HeaderName =
  | 'Accept-Encoding'
  | 'Accept-Ranges'
  | 'Allow'
  | 'Content-Location'
  | 'Content-Range'
  | 'ETag'
  | 'Location'
  | 'Muster-Not-Exported'
  | 'Preference-Applied'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'X-Error-Id';

/** What the document says beside the schemas by which Fastify checks requests and makes responses. */
export interface Description {
  /** An object schema of the parameters of the path, of the query, or of the headers. */
  readonly params?: JsonSchema;
  readonly querystring?: JsonSchema;
  readonly headers?: JsonSchema;
  readonly body?: Content;
  /** Whether a request may lack the body. */
  readonly bodyOptional?: boolean;
  /** Examples of the body, if `body` has none. */
  readonly examples?: Readonly<Record<string, Example>>;
  readonly responses?: Readonly<Record<number, DescribedResponse>>;
  /** Statuses of errors, beside those of `response` and those that every route of the kind has. */
  readonly errors?: readonly number[];
  /** Headers of the successful responses that a schema in `response` describes, by status. */
  readonly responseHeaders?: Readonly<Record<number, readonly HeaderName[]>>;
}

/** Requirements of which a request meets one: names of security schemes with their scopes. */
type Security = readonly Readonly<Record<string, readonly string[]>>[];

declare module 'fastify' {
  interface FastifySchema {
    /** Leaves the route out of the document. */
    readonly hide?: boolean;
    readonly operationId?: string;
    readonly tags?: readonly string[];
    readonly summary?: string;
    readonly description?: string;
    /** Absent if the route needs no credentials. */
    readonly security?: Security;
    /** Called when the document is made. Fastify neither checks nor serializes by the result. */
    readonly described?: () => Description | Promise<Description>;
  }
}
