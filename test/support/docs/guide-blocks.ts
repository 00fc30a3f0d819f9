/** The files that a guide tells its reader to save. The paragraph before each block ends with the file's name and a colon. */
export function filesIn(markdown: string): Record<string, string> {
  const blocks = markdown.matchAll(/`([\w./-]+)`:\n\n```(?!sh\n|console\n)\w+\n([\s\S]*?)```/g);
  return Object.fromEntries([...blocks].map(([, name = '', content = '']) => [name, content]));
}

/** The commands of the `console` blocks of a guide. They are for a terminal of their own. */
export function commandsIn(markdown: string): string[] {
  const blocks = markdown.matchAll(/```console\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, text = '']) => text.trim().split('\n'));
}

/** The packages that the `npm install` commands of a guide name. */
export function packagesIn(markdown: string): string[] {
  const installs = commandsIn(markdown).filter((command) => command.startsWith('npm install '));
  return installs.flatMap((command) => command.split(' ').slice(2));
}
