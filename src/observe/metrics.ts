import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { inTime } from '#src/platform/in-time.js';
import type { Measures } from './measures.js';

/** Upper bounds of the classes of latency in seconds, from a cached read to the longest Bulk. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const waitBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5];
const commandBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2];
const jobBuckets = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200];

/**
 * The longest time for a look-up, in milliseconds. Prometheus gives up after 10 seconds, and then gets
 * nothing at all.
 */
const lookUpLimitMs = 2_000;

/**
 * Measurements that are taken when metrics are scraped. A look-up that fails or is late leaves out only its
 * metric.
 */
export interface Lookups {
  hashLoad(): { running: number; waiting: number };
  /** The number of jobs in the queue, by kind and state. */
  jobs(): Promise<readonly { kind: string; state: string; count: number }[]>;
  /**
   * For each kind, how long the oldest waiting job has waited for a worker, in seconds; 0 when none waits.
   */
  oldestWaiting(): Promise<readonly { kind: string; seconds: number }[]>;
  mongoPool(): { open: number; used: number; waiting: number };
  redisReady(): boolean;
}

export interface Metrics extends Measures {
  /** Records a Redis command of this process. */
  redisCommandEnded(command: string, ended: { failed: boolean; seconds: number }): void;
  lookUp(lookups: Lookups): void;
  /** All metrics in the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>;
}

/** @param processName `api` or `worker`: the label `process` of every metric */
export function createMetrics(processName: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  return {
    ...requestMetrics(registers),
    ...signInMetrics(registers),
    ...jobMetrics(registers),
    ...storeMetrics(registers),
    lookUp: (lookups) => addLookups(registers, lookups),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

type RequestMeasures = Pick<
  Measures,
  'requestAnswered' | 'tokenAnswered' | 'requestLimited' | 'requestsLate' | 'workShed' | 'responseCutOff'
>;

function requestMetrics(registers: Registry[]): RequestMeasures {
  const requests = new Histogram({
    name: 'muster_http_request_seconds',
    help: 'Time to answer a request, by route pattern and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers,
  });
  const tokens = new Counter({
    name: 'muster_token_requests_total',
    help: 'Requests to the token endpoint, by grant and outcome.',
    labelNames: ['grant', 'outcome'],
    registers,
  });
  const limited = new Counter({
    name: 'muster_requests_limited_total',
    help: 'Requests that a rate limit refused, by limit.',
    labelNames: ['limit'],
    registers,
  });
  const shed = new Counter({
    name: 'muster_work_shed_total',
    help: 'Work that was refused because there was too much to do, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const late = new Counter({
    name: 'muster_requests_late_total',
    help: 'How often this process told the workers to give way, because requests took longer than usual.',
    registers,
  });
  const cutOff = new Counter({
    name: 'muster_responses_cut_off_total',
    help: 'Connections that were closed because their clients did not read their responses, by reason.',
    labelNames: ['reason'],
    registers,
  });
  return {
    requestAnswered({ method, route, status, seconds }) {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    tokenAnswered: (grant, outcome) => tokens.inc({ grant, outcome }),
    requestLimited: (limit) => limited.inc({ limit }),
    requestsLate: () => late.inc(),
    workShed: (kind) => shed.inc({ kind }),
    responseCutOff: (reason) => cutOff.inc({ reason }),
  };
}

function signInMetrics(
  registers: Registry[],
): Pick<Measures, 'loginChecked' | 'hashWaited' | 'connectionUsed' | 'providerAnswered'> {
  const logins = new Counter({
    name: 'muster_login_checks_total',
    help: 'Passwords, one-time codes and passkeys of people, by outcome.',
    labelNames: ['factor', 'outcome'],
    registers,
  });
  const connections = new Counter({
    name: 'muster_connection_sign_ins_total',
    help: 'Sign-ins by connections to outside providers, by outcome: signedIn, or why they were refused.',
    labelNames: ['outcome'],
    registers,
  });
  const providers = new Histogram({
    name: 'muster_provider_request_seconds',
    help: 'Time until outside providers answered, by request and outcome.',
    labelNames: ['request', 'outcome'],
    buckets: waitBuckets,
    registers,
  });
  const hashWait = new Histogram({
    name: 'muster_hash_wait_seconds',
    help: 'Time that password hashes waited before they were computed.',
    buckets: waitBuckets,
    registers,
  });
  return {
    loginChecked: (factor, outcome) => logins.inc({ factor, outcome }),
    connectionUsed: (outcome) => connections.inc({ outcome }),
    providerAnswered: (request, { outcome, seconds }) => providers.observe({ request, outcome }, seconds),
    hashWaited: (seconds) => hashWait.observe(seconds),
  };
}

function jobMetrics(registers: Registry[]): Pick<Measures, 'jobEnded' | 'recordsImported'> {
  const attempts = new Histogram({
    name: 'muster_job_attempt_seconds',
    help: 'Time that attempts of jobs took, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: jobBuckets,
    registers,
  });
  const imported = new Counter({
    name: 'muster_import_records_total',
    help: 'Records of imports by section and outcome, without dry runs and verifications.',
    labelNames: ['section', 'outcome'],
    registers,
  });
  return {
    jobEnded: (kind, { outcome, seconds }) => attempts.observe({ kind, outcome }, seconds),
    recordsImported: (section, outcome, count) => imported.inc({ section, outcome }, count),
  };
}

function storeMetrics(registers: Registry[]): Pick<Metrics, 'mongoConnectionTaken' | 'redisCommandEnded'> {
  const poolWait = new Histogram({
    name: 'muster_mongodb_connection_wait_seconds',
    help: 'Time until a connection of the pool to MongoDB was to be had.',
    buckets: waitBuckets,
    registers,
  });
  const redisCommands = new Histogram({
    name: 'muster_redis_command_seconds',
    help: 'Time until Redis answered, by command; without commands that wait for something to happen.',
    labelNames: ['command'],
    buckets: commandBuckets,
    registers,
  });
  const redisErrors = new Counter({
    name: 'muster_redis_command_errors_total',
    help: 'Redis commands that failed, by command.',
    labelNames: ['command'],
    registers,
  });
  return {
    mongoConnectionTaken: (seconds) => poolWait.observe(seconds),
    redisCommandEnded(command, { failed, seconds }) {
      redisCommands.observe({ command }, seconds);
      if (failed) redisErrors.inc({ command });
    },
  };
}

function addLookups(registers: Registry[], lookups: Lookups): void {
  const gauge = <Label extends string>(
    about: { name: string; help: string; labelNames?: Label[] },
    collect: (set: (labels: Partial<Record<Label, string>>, value: number) => void) => void | Promise<void>,
  ) =>
    new Gauge({
      ...about,
      registers,
      async collect() {
        this.reset();
        try {
          await inTime(Promise.resolve(collect((labels, value) => this.set(labels, value))), lookUpLimitMs);
        } catch {
          this.reset();
        }
      },
    });

  gauge({ name: 'muster_hash_running', help: 'Password hashes that are being computed.' }, (set) =>
    set({}, lookups.hashLoad().running),
  );
  gauge({ name: 'muster_hash_waiting', help: 'Password hashes that wait.' }, (set) =>
    set({}, lookups.hashLoad().waiting),
  );
  gauge(
    {
      name: 'muster_jobs',
      help: 'Jobs in the queue, by kind and state. All processes tell the same.',
      labelNames: ['kind', 'state'],
    },
    async (set) => {
      for (const { kind, state, count } of await lookups.jobs()) set({ kind, state }, count);
    },
  );
  gauge(
    {
      name: 'muster_job_oldest_waiting_seconds',
      help: 'Age of the job that has waited longest for a worker, by kind. All processes tell the same.',
      labelNames: ['kind'],
    },
    async (set) => {
      for (const { kind, seconds } of await lookups.oldestWaiting()) set({ kind }, seconds);
    },
  );
  gauge(
    {
      name: 'muster_mongodb_connections',
      help: 'Connections to MongoDB: open, and of these in use.',
      labelNames: ['state'],
    },
    (set) => {
      const { open, used } = lookups.mongoPool();
      set({ state: 'open' }, open);
      set({ state: 'used' }, used);
    },
  );
  gauge(
    { name: 'muster_mongodb_waiting', help: 'Operations that wait for a connection to MongoDB.' },
    (set) => set({}, lookups.mongoPool().waiting),
  );
  gauge(
    { name: 'muster_redis_ready', help: '1 when the connection to Redis is usable, otherwise 0.' },
    (set) => set({}, lookups.redisReady() ? 1 : 0),
  );
}
