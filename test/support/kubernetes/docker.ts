import { type Image, runInImage } from './image.js';
import type { Program } from './shell.js';

/**
 * `docker` as far as the guide uses it. Whatever is built is the one image.
 * @param pushed gets the references that a cluster can pull
 */
export function dockerWith(image: Image, pushed: Set<string>): Program {
  const local = new Set<string>();
  const ok = { code: 0, stdout: '', stderr: '' };
  const requireLocal = (name: string) => {
    if (!local.has(name)) throw new Error(`No such image: ${name}`);
  };
  return async ([verb = '', ...args]) => {
    const [first = '', second = ''] = args;
    switch (verb) {
      case 'build':
        if (first !== '-t') break;
        local.add(second);
        return ok;
      case 'tag':
        requireLocal(first);
        local.add(second);
        return ok;
      case 'push':
        requireLocal(first);
        pushed.add(first);
        return ok;
      case 'run': {
        const [flag, name = '', ...command] = args;
        if (flag !== '--rm') break;
        requireLocal(name);
        return runInImage(image, { command });
      }
    }
    throw new Error(`The test knows no docker ${[verb, ...args].join(' ')}`);
  };
}
