import { gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { ApiDocument } from '#src/http/openapi/api-document.js';

/** The parts of a described response that are compared. */
interface Described {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** An operation, and the segments of its path. */
interface Operation {
  readonly segments: readonly string[];
  /** Where the document has it. */
  readonly place: readonly string[];
  readonly responses: Readonly<Record<string, Described>>;
}

/** Headers that a response has only if the document says so. */
const told = [
  'allow',
  'content-range',
  'etag',
  'location',
  'preference-applied',
  'retry-after',
  'www-authenticate',
];

let known: Promise<Description> | undefined;

/**
 * Makes `inject` compare each answer with the published document: its status, its headers and its body. Answers at addresses that
 * the document leaves out are not compared. No answer of SCIM or of administration may be kept by a cache. A process makes the document once, and each validator when it is first needed.
 */
export function compareAnswers(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>;
  const compared = async (options: InjectOptions | string) => {
    const answer = await inject(options);
    const { method = 'GET', url } = typeof options === 'string' ? { url: options } : options;
    if (isUnsafe(String(url), answer))
      throw new Error(`${method} ${url} is answered with ${JSON.stringify(answer.headers)}`);
    // The body of a stream is its reader's.
    if (typeof options !== 'string' && options.payloadAsStream) return answer;
    known ??= app.describeApi().then((document) => new Description(document));
    const fault = (await known).faultOf(method.toUpperCase(), String(url), answer);
    if (fault !== undefined)
      throw new Error(`${method} ${url} is answered otherwise than described: ${fault}`);
    return answer;
  };
  app.inject = compared as typeof app.inject;
}

/** Whether a cache may keep an answer of SCIM or of administration, or a browser may guess its media type. */
function isUnsafe(url: string, { headers }: LightMyRequestResponse): boolean {
  if (!/^(https?:\/\/[^/]*)?\/(scim|admin)\//.test(url)) return false;
  return headers['cache-control'] !== 'no-store' || headers['x-content-type-options'] !== 'nosniff';
}

/** The published document, for comparisons. */
class Description {
  readonly #document: ApiDocument;
  readonly #byMethod = new Map<string, Operation[]>();
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false });

  constructor(document: ApiDocument) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'api');
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const operation = {
          segments: path.split('/'),
          place: ['paths', path, method],
          responses: responses as Operation['responses'],
        };
        const name = method.toUpperCase();
        this.#byMethod.set(name, [...(this.#byMethod.get(name) ?? []), operation]);
      }
    }
  }

  /** How an answer differs from the document. Undefined if it does not, or if the document does not describe the address. */
  faultOf(method: string, url: string, answer: LightMyRequestResponse): string | undefined {
    const operation = this.#operationAt(method, url);
    if (operation === undefined) return undefined;
    const { statusCode: status, headers } = answer;
    const given = operation.responses[String(status)];
    if (given === undefined) return `the status ${status} is not described. ${answer.payload.slice(0, 300)}`;
    const response = this.#resolved(given);
    const place = given.$ref?.split('/').slice(1) ?? [...operation.place, 'responses', String(status)];
    return this.#faultOfHeaders(headers, response) ?? this.#faultOfBody(answer, response, place);
  }

  #operationAt(method: string, url: string): Operation | undefined {
    // As `inject` reads it: a segment of one dot is none (WHATWG URL section 4.4).
    const path = new URL(url.startsWith('//') ? `http://localhost${url}` : url, 'http://localhost').pathname;
    const isScim = path.startsWith('/scim/v2/');
    const segments = (isScim && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
    const found = (this.#byMethod.get(method) ?? []).filter(
      (one) =>
        one.segments.length === segments.length &&
        one.segments.every((segment, index) =>
          segment.startsWith('{') ? segments[index] !== '' : segment === segments[index],
        ),
    );
    const parameters = ({ segments }: Operation) => segments.filter((one) => one.startsWith('{')).length;
    return found.sort((one, other) => parameters(one) - parameters(other))[0];
  }

  #resolved(response: Described): Described {
    if (response.$ref === undefined) return response;
    return this.#document.components['responses']?.[response.$ref.split('/').at(-1) ?? ''] as Described;
  }

  #faultOfHeaders(
    headers: LightMyRequestResponse['headers'],
    { headers: described = {} }: Described,
  ): string | undefined {
    const names = Object.keys(described);
    const lower = new Set(names.map((name) => name.toLowerCase()));
    const untold = told.find((name) => headers[name] !== undefined && !lower.has(name));
    if (untold !== undefined) return `the header ${untold} is not described`;
    const missing = names.find(
      (name) =>
        headers[name.toLowerCase() as 'allow'] === undefined &&
        this.#document.components['headers']?.[name]?.['required'] === true,
    );
    return missing === undefined ? undefined : `the header ${missing} is missing`;
  }

  #faultOfBody(
    { statusCode, headers, rawPayload }: LightMyRequestResponse,
    { content }: Described,
    place: readonly string[],
  ): string | undefined {
    const [type = ''] = String(headers['content-type'] ?? '').split(';', 1);
    if (rawPayload.length === 0 && content === undefined) return undefined;
    if (content?.[type] === undefined) return `a body of the type ${type} is not described`;
    // A part of a JSON text is none.
    if (!/[/+]json$/.test(type) || statusCode === 206) return undefined;
    const text = headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload;
    const validate = this.#validatorAt([...place, 'content', type, 'schema']);
    if (validate(JSON.parse(text.toString()))) return undefined;
    return `${this.#ajv.errorsText(validate.errors)} in ${text.toString().slice(0, 500)}`;
  }

  #validatorAt(place: readonly string[]): ValidateFunction {
    const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = this.#ajv.getSchema(`api#/${pointer.join('/')}`);
    if (validate === undefined) throw new Error(`The document has no schema at ${place.join(' ')}`);
    return validate;
  }
}
