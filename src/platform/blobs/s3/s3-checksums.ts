import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Checksum } from '../transfer/resumed-download.js';
import { Crc64Nvme } from './crc64-nvme.js';

/** What a response says of the checksum of an object, in base64. */
interface NamedChecksums {
  readonly ChecksumType?: string | undefined;
  readonly ChecksumCRC64NVME?: string | undefined;
  readonly ChecksumCRC32?: string | undefined;
  readonly ChecksumSHA256?: string | undefined;
}

/**
 * The checksum over a whole object. Amazon S3 has CRC64NVME of every new object. Undefined if the storage names none that is
 * known here, or one that is made of the checksums of parts.
 */
export function checksumOf(named: NamedChecksums): Checksum | undefined {
  const { ChecksumType: type, ChecksumCRC64NVME: crc64, ChecksumCRC32: crc, ChecksumSHA256: sha256 } = named;
  if (type !== 'FULL_OBJECT') return undefined;
  if (crc64 !== undefined) {
    const sum = new Crc64Nvme();
    return { update: (chunk) => sum.update(chunk), matches: () => sum.digest().toString('base64') === crc64 };
  }
  if (crc !== undefined) {
    let sum = 0;
    const digest = Buffer.alloc(4);
    return {
      update(chunk) {
        sum = crc32(chunk, sum);
      },
      matches() {
        digest.writeUInt32BE(sum);
        return digest.toString('base64') === crc;
      },
    };
  }
  if (sha256 === undefined) return undefined;
  const hash = createHash('sha256');
  return { update: (chunk) => void hash.update(chunk), matches: () => hash.digest('base64') === sha256 };
}
