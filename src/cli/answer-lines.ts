/** The lines of an answer that is a JSON value a line: those of a piece together, one piece at a time. */
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
