/**
 * Yields the lines of an answer that has one JSON value per line. Each array has the lines that one chunk completes.
 */
export async function* answerLines({ body }: Response): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines.filter((line) => line !== '');
  }
  if (rest !== '') yield [rest];
}
