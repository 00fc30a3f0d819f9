import { pathSegment } from '#src/platform/path-segment.js';
import { StartError } from '#src/platform/start-error.js';

/** An identifier that a person or a server gave, as one segment of a path. @throws StartError for `.` and `..` */
export function argumentSegment(id: string): string {
  try {
    return pathSegment(id);
  } catch (cause) {
    throw new StartError((cause as Error).message, { cause });
  }
}
