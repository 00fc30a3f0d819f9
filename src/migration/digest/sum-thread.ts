import { answerQuestions } from '#src/platform/threads.js';
import { sumOf } from './record-digest.js';

/** The thread of {@link createRecordSums}. */
answerQuestions((texts: readonly string[]): Uint8Array => sumOf(texts).bytes());
