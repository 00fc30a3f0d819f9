import type { Job } from '#src/jobs/job.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import {
  conflictOf,
  type NewUser,
  newUser,
  takenError,
  uniqueKeysOf,
  writeNewUsers,
} from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Logger } from '#src/platform/logger.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { isServersFault, isStoreUnavailable, RefusedByServer } from '#src/platform/unavailable.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { requirePermission, type ScimContext, type ScimDeps } from '../operations/context.js';
import { parseCreation } from '../operations/create-user.js';
import { userLocation } from '../resources/render-user.js';
import {
  type BulkOperation,
  type BulkOperationResult,
  type BulkRequest,
  hasFailed,
  isUserCreation,
} from './bulk-operation.js';
import { failed, succeeded } from './bulk-result.js';
import { type BulkWrites, creationGroupLength } from './creation-group.js';
import { bulkErrors } from './errors.js';
import { resolveReferences } from './references.js';
import { runOperation } from './run-operation.js';
import { scheduleOperations } from './schedule.js';

/** Thrown in a transaction if the job has ended or another attempt has taken it over. Nothing more may be applied. */
class JobLost extends Error {}

type BulkDeps = ScimDeps & { readonly jobs: JobsStore; readonly logger: Logger };

interface BulkAttempt {
  readonly job: Job;
  readonly attempt: JobAttempt;
  readonly context: Omit<ScimContext, 'permissions'>;
  readonly request: BulkRequest;
  /** What the caller may do now. Each step asks, so that a right that is lost in the middle ends the rest of the attempt. */
  readonly permissions: () => Promise<ScimContext['permissions']>;
  /** Of the worker. */
  readonly writes: BulkWrites;
}

/**
 * Runs one attempt of a Bulk job. Promise: each operation is applied at most once, and the transaction that applies it also
 * records its result. An attempt continues where an earlier one stopped. After the end of the job nothing is applied.
 */
export async function runBulk(deps: BulkDeps, bulk: BulkAttempt): Promise<void> {
  try {
    await new BulkRun(deps, bulk).all();
    await deps.jobs.end(bulk.job.id, 'completed');
  } catch (error) {
    if (!(error instanceof JobLost)) throw error;
  }
}

/** The state of one attempt. */
class BulkRun {
  readonly #deps: BulkDeps;
  readonly #attempt: JobAttempt;
  readonly #permissions: BulkAttempt['permissions'];
  #context: ScimContext;
  readonly #operations: readonly BulkOperation[];
  readonly #failOnErrors: number;
  readonly #writes: BulkWrites;
  readonly #results: Map<number, BulkOperationResult>;
  /** Identifiers of resources that were created or changed, by bulkId. */
  readonly #ids = new Map<string, string>();
  #errors = 0;

  constructor(deps: BulkDeps, { job, attempt, context, request, writes, permissions }: BulkAttempt) {
    this.#permissions = permissions;
    this.#writes = writes;
    this.#deps = deps;
    this.#attempt = attempt;
    this.#context = { ...context, permissions: new Set() };
    this.#operations = request.operations;
    this.#failOnErrors = request.failOnErrors ?? Number.POSITIVE_INFINITY;
    this.#results = new Map();
    for (const [index, result] of Object.entries(job.parts))
      this.#keep(Number(index), result as BulkOperationResult);
  }

  async all(): Promise<void> {
    const { order, circular } = scheduleOperations(this.#operations);
    const left = order.filter((index) => !this.#results.has(index));
    while (left.length > 0 && this.#errors < this.#failOnErrors) {
      const index = left[0] as number;
      this.#context = { ...this.#context, permissions: await this.#permissions() };
      if (this.#context.permissions.size === 0) {
        // The caller has lost every right in the meantime, so the operation is not read.
        left.shift();
        await this.#fail(index, new AppError(tokenErrors.permissionMissing));
      } else if (circular.has(index)) {
        left.shift();
        await this.#fail(index, new AppError(bulkErrors.circularReference));
      } else if (isUserCreation(this.#operation(index))) {
        await this.#createGroup(left.splice(0, creationGroupLength(this.#operations, left, circular)));
      } else {
        left.shift();
        await this.#runOne(index);
      }
    }
  }

  async #createGroup(indexes: readonly number[]): Promise<void> {
    const prepared = await Promise.all(indexes.map((index) => this.#prepare(index)));
    // Usually all users are new, and the unique indexes say so. They are asked before only if one turns out to be taken.
    if (await this.#writeNew(indexes, prepared, new Set())) return;
    if (indexes.length > 1) {
      if (await this.#writeNew(indexes, prepared, await this.#taken(prepared))) return;
      // Another request took a value after the look-up. Run the creations one by one, so that only that one fails.
      for (const index of indexes) if (this.#errors < this.#failOnErrors) await this.#createGroup([index]);
      return;
    }
    await this.#fail(indexes[0] as number, await this.#overtaken(prepared[0] as NewUser));
  }

  /** Writes a group within the quota. @returns false if nothing was written because a value is taken */
  async #writeNew(
    indexes: readonly number[],
    prepared: readonly (NewUser | AppError)[],
    taken: Set<string>,
  ): Promise<boolean> {
    const orgId = this.#context.organization.id;
    const count = prepared.filter(
      (one) => !(one instanceof AppError) && !this.#conflictOf(one, taken),
    ).length;
    let added: number | undefined;
    // A group that waits must hold nothing of the quota.
    await this.#writes.groups.run(orgId, () =>
      this.#deps.quotas.upTo(orgId, { kind: 'users', count }, async (allowed) => {
        const isFull = (before: number) => allowed < count && before >= allowed;
        added = await this.#writeGroup(indexes, { prepared, taken, isFull });
        return added ?? 0;
      }),
    );
    return added !== undefined;
  }

  /**
   * Writes the new users of a group, as many as the quota allows.
   * @param group `isFull` says whether the quota is used up after so many users of the group
   * @returns the number of new users; undefined if nothing was written because a value was taken meanwhile
   */
  async #writeGroup(
    indexes: readonly number[],
    group: {
      prepared: readonly (NewUser | AppError)[];
      taken: Set<string>;
      isFull: (added: number) => boolean;
    },
  ): Promise<number | undefined> {
    const { prepared, taken, isFull } = group;
    const orgId = this.#context.organization.id;
    const full = isFull(indexes.length) ? await this.#deps.quotas.exceeded(orgId, 'users') : undefined;
    const added: NewUser[] = [];
    const results = new Map<number, BulkOperationResult>();
    let errors = 0;
    for (const [position, index] of indexes.entries()) {
      if (this.#errors + errors >= this.#failOnErrors) break;
      const outcome = prepared[position] as NewUser | AppError;
      const conflict = outcome instanceof AppError ? outcome : this.#conflictOf(outcome, taken);
      const error = conflict ?? (isFull(added.length) ? full : undefined);
      if (error !== undefined) {
        errors++;
        results.set(index, this.#failedResult(index, error));
        continue;
      }
      const { user } = outcome as NewUser;
      for (const key of uniqueKeysOf(user)) taken.add(key);
      added.push(outcome as NewUser);
      const location = userLocation(user.id, this.#context.baseUrl);
      results.set(index, succeeded(this.#operation(index), { status: 201, location, resource: user }));
    }
    try {
      await this.#deps.mongo.transaction(async (transaction) => {
        // The record comes first: if the job is lost, the users are not written at all.
        await this.#record(results, transaction);
        const { editor } = this.#context;
        if (added.length > 0) await writeNewUsers(this.#deps, { orgId, added, editor }, transaction);
      });
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw isServersFault(error) ? new RefusedByServer(error) : error;
    }
    for (const [index, result] of results) this.#keep(index, result);
    if (added.length > 0) await this.#deps.userCounter.changed(orgId);
    return added.length;
  }

  async #prepare(index: number): Promise<NewUser | AppError> {
    try {
      requirePermission(this.#context, 'user.write');
      const operation = resolveReferences(this.#operation(index), this.#ids);
      if (operation.data === undefined) throw new AppError(bulkErrors.dataMissing);
      const draft = parseCreation(this.#context, operation.data);
      return await newUser(this.#deps, this.#context.organization, draft);
    } catch (error) {
      return this.#toFailure(error);
    }
  }

  /** The error that fails one operation alone. If a store is away or the job is lost, the attempt ends instead. */
  #toFailure(error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (error instanceof JobLost || isStoreUnavailable(error)) throw error;
    if (isServersFault(error)) throw new RefusedByServer(error);
    this.#deps.logger.error({ err: error, jobId: this.#attempt.jobId }, 'bulk operation failed unexpectedly');
    return new AppError(bulkErrors.fault);
  }

  /** The values of the group that users of the organization have, and that may not be there twice. */
  async #taken(prepared: readonly (NewUser | AppError)[]): Promise<Set<string>> {
    const keys = prepared.flatMap((one) => (one instanceof AppError ? [] : uniqueKeysOf(one.user)));
    return keys.length === 0 ? new Set() : this.#deps.users.takenKeys(this.#context.organization.id, keys);
  }

  #conflictOf({ user }: NewUser, taken: ReadonlySet<string>): AppError | undefined {
    return conflictOf(user, taken, this.#context.organization.extensionSchemas);
  }

  /** The error of a creation whose value another request took after the look-up. */
  #overtaken({ user }: NewUser): Promise<AppError> {
    return takenError(this.#deps.users, user, this.#context.organization.extensionSchemas);
  }

  /** Runs any other operation in a transaction of its own. */
  async #runOne(index: number): Promise<void> {
    let result: BulkOperationResult | undefined;
    try {
      const operation = resolveReferences(this.#operation(index), this.#ids);
      await this.#writes.others.run(this.#context.organization.id, () =>
        runOperation(this.#deps, this.#context, {
          operation,
          record: async (made, transaction) => {
            result = made;
            await this.#record(new Map([[index, made]]), transaction);
          },
        }),
      );
    } catch (error) {
      await this.#fail(index, this.#toFailure(error));
      return;
    }
    if (result !== undefined) this.#keep(index, result);
  }

  async #fail(index: number, error: AppError): Promise<void> {
    const result = this.#failedResult(index, error);
    await this.#deps.mongo.transaction((transaction) =>
      this.#record(new Map([[index, result]]), transaction),
    );
    this.#keep(index, result);
  }

  #failedResult(index: number, error: AppError): BulkOperationResult {
    return failed(this.#operation(index), this.#context, error);
  }

  async #record(results: ReadonlyMap<number, BulkOperationResult>, transaction: Transaction): Promise<void> {
    const errors = [...results.values()].filter(hasFailed).length;
    const recorded = await this.#deps.jobs.recordParts(this.#attempt, { results, errors }, transaction);
    if (!recorded) throw new JobLost();
  }

  #keep(index: number, result: BulkOperationResult): void {
    this.#results.set(index, result);
    if (hasFailed(result)) this.#errors++;
    else if (result.bulkId !== undefined && result.location !== undefined) {
      const encoded = result.location.slice(result.location.lastIndexOf('/') + 1);
      this.#ids.set(result.bulkId, decodeURIComponent(encoded));
    }
  }

  #operation(index: number): BulkOperation {
    return this.#operations[index] as BulkOperation;
  }
}
