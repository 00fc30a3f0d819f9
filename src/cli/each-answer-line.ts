/** Visits each line of an answer that is a JSON value a line, one after another, holding one piece of it. */
export async function eachAnswerLine(
  { body }: Response,
  visit: (line: string) => Promise<void>,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') await visit(line);
  }
  if (rest !== '') await visit(rest);
}
