import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from '#src/platform/logger.js';

type Write = Parameters<Logger['info']>;

/**
 * The logger of one request. It is created when the request first logs: most requests never log, and creating
 * a logger takes as long as reading a request.
 */
export class RequestLogger {
  readonly #parent: Logger;
  readonly #bindings: Record<string, unknown>;
  #child: Logger | undefined;

  constructor(parent: Logger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: Write): void {
    this.#logger().fatal(...line);
  }
  error(...line: Write): void {
    this.#logger().error(...line);
  }
  warn(...line: Write): void {
    this.#logger().warn(...line);
  }
  info(...line: Write): void {
    this.#logger().info(...line);
  }
  debug(...line: Write): void {
    this.#logger().debug(...line);
  }
  trace(...line: Write): void {
    this.#logger().trace(...line);
  }
  silent(): void {}

  child(bindings: Record<string, unknown>): FastifyBaseLogger {
    return this.#logger().child(bindings) as FastifyBaseLogger;
  }

  #logger(): Logger {
    this.#child ??= this.#parent.child(this.#bindings);
    return this.#child;
  }
}
