import { refreshAllMetadata } from '#src/connections/saml/index.js';
import type { WorkerRooms } from '#src/rooms.js';
import { signOutOfConnection } from '#src/sessions/sign-out.js';

/** Reads the metadata of SAML providers: see refresh-metadata.ts. */
export function samlMetadataWorker(rooms: WorkerRooms) {
  const endSignIns = (of: { orgId: string; connectionId: string }) => signOutOfConnection(rooms, of);
  return (): Promise<void> => refreshAllMetadata({ ...rooms, endSignIns });
}
