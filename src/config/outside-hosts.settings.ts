import Type from 'typebox';
import { hostList, type Settings } from './setting.js';

/** Hosts that the service may reach. */
export const outsideHostsSettings = {
  storageEmulatorHost: {
    env: 'STORAGE_EMULATOR_HOST',
    schema: Type.String({ pattern: '^https?://[^/?#]+$' }),
    default: '',
    defaultText: 'Google Cloud Storage',
    about:
      'Another server with the JSON API of Google Cloud Storage for the buckets of imports and exports: ' +
      'http:// or https://host:port. Muster sends it no credentials.',
  },
  importHosts: {
    env: 'MUSTER_IMPORT_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts from which imports may read their data by https, joined by commas, such as ' +
      'files.example.com,files.example.com:8443. Only owners of the instance import. Signed addresses of Amazon S3 and of ' +
      'Azure Blob Storage are such addresses. Empty allows none.',
  },
  bucketHosts: {
    env: 'MUSTER_BUCKET_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with the API of Amazon S3 or of Azure Blob Storage, beside those of Amazon and Microsoft, for the buckets of ' +
      'imports and exports, joined by commas, such as minio.example.com:9000. Muster speaks https with them, and their ' +
      'addresses may be private. If the name of a bucket is part of the host, list the host with it. NODE_EXTRA_CA_CERTS ' +
      'names the certificates of a private authority. List a host of Amazon or Microsoft here if it has a private address. ' +
      'Owners of organizations cannot use a bucket or an account that is listed, by none of its hosts. A host of a provider ' +
      'that does not name a bucket, such as s3.eu-central-1.amazonaws.com, keeps them from all buckets of the provider.',
  },
  privateIssuerHosts: {
    env: 'MUSTER_PRIVATE_ISSUER_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with private addresses whose keys may be read for federated credentials, joined by commas, such as ' +
      'kubernetes.default.svc. Other issuers need a public address. NODE_EXTRA_CA_CERTS names the certificates of a ' +
      'private authority.',
  },
  privateHookHosts: {
    env: 'MUSTER_PRIVATE_HOOK_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with private addresses that organizations may name as migration hook, joined by commas. Each owner of an ' +
      'organization can then make Muster send a POST to them. Other hooks need a public address.',
  },
  privateProviderHosts: {
    env: 'MUSTER_PRIVATE_PROVIDER_HOSTS',
    schema: hostList,
    default: '',
    about:
      'Hosts with private addresses that organizations may name as provider of a connection, joined by commas. Each owner of ' +
      'an organization can then make Muster send requests to them. Other providers need a public address. ' +
      'NODE_EXTRA_CA_CERTS names the certificates of a private authority.',
  },
  dnsServers: {
    env: 'MUSTER_DNS_SERVERS',
    schema: hostList,
    default: '',
    about:
      'Addresses of recursive resolvers of which the proofs of domains are asked, joined by commas, with a port if it is not 53, such ' +
      'as 192.0.2.53,[2001:db8::53]:5353. Empty asks those of the system.',
  },
} as const satisfies Settings;
