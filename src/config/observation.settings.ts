import Type from 'typebox';
import { count, type Settings } from './setting.js';

/** Logs, metrics and traces. */
export const observationSettings = {
  logLevel: {
    env: 'LOG_LEVEL',
    schema: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    about: 'Least severe level that is logged.',
  },
  metricsPort: {
    env: 'MUSTER_METRICS_PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65535 }),
    default: 0,
    defaultText: '`0`, off',
    about:
      'Port at which a process serves /metrics for Prometheus. 0 turns metrics off. Each process on a ' +
      'machine needs its own port.',
  },
  metricsHost: {
    env: 'MUSTER_METRICS_HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    about: 'Address at which a process serves /metrics. Callers need no token, so keep it away from clients.',
  },
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: Type.String({ pattern: '^https?://' }),
    default: '',
    defaultText: 'none, off',
    about:
      'Base address of an OpenTelemetry collector for OTLP over HTTP, such as http://collector:4318. It ' +
      'turns traces on. `OTEL_EXPORTER_OTLP_HEADERS` adds headers.',
  },
  traceRatio: {
    env: 'MUSTER_TRACE_RATIO',
    schema: Type.Number({ minimum: 0, maximum: 1 }),
    default: 1,
    about:
      'Share of the traces that Muster sends, from 0 to 1. It does not apply to a request with a ' +
      '`traceparent`: its caller decides.',
  },
  provisioningLogDays: {
    env: 'MUSTER_PROVISIONING_LOG_DAYS',
    schema: count(0, 90),
    default: 7,
    about:
      'Days for which the provisioning log keeps the SCIM requests of clients: method, path, status and error, and no ' +
      'bodies. 0 keeps none.',
  },
} as const satisfies Settings;
