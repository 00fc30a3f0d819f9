import { answerQuestions } from '#src/platform/threads.js';
import { verifyLogoutRequest } from './logout-request.js';
import { readMetadata } from './read-metadata.js';
import { describeOurs, makeLogoutAnswer, makeLogoutRequest, makeRequest } from './saml-library.js';
import { answerTask, type SamlAnswer, type SamlQuestion } from './saml-tasks.js';
import { verifyResponse } from './verify-response.js';

/** A thread of {@link createSamlThreads}. */
answerQuestions(({ task, question }: SamlQuestion): Promise<SamlAnswer> => {
  switch (task) {
    case 'verifyResponse':
      return answerTask(() => verifyResponse(question));
    case 'makeRequest':
      return answerTask(() => makeRequest(question));
    case 'describeOurs':
      return answerTask(() => describeOurs(question));
    case 'verifyLogoutRequest':
      return answerTask(() => verifyLogoutRequest(question));
    case 'makeLogoutRequest':
      return answerTask(() => makeLogoutRequest(question));
    case 'makeLogoutAnswer':
      return answerTask(() => makeLogoutAnswer(question));
    case 'readMetadata':
      return answerTask(() => readMetadata(question));
  }
});
