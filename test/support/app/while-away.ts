import type { Test } from 'tap';

/** Runs work while a function of the container fails, as it does without its store. The function works again afterwards. */
export async function whileAway<Part extends object>(
  t: Pick<Test, 'teardown'>,
  [part, method]: readonly [part: Part, method: keyof Part],
  work: () => Promise<void>,
): Promise<void> {
  const works = Object.getOwnPropertyDescriptor(part, method) as PropertyDescriptor;
  const restore = () => {
    Object.defineProperty(part, method, works);
  };
  t.teardown(restore);
  Object.defineProperty(part, method, { ...works, value: () => Promise.reject(new Error('away')) });
  await work();
  restore();
}
