/** An element of a form, and where it stands in the text of the page. */
interface FormElement {
  readonly kind: string;
  readonly tag: string;
  /** Where its tag begins and ends, and where a message about it stands. */
  readonly start: number;
  readonly end: number;
  readonly after: number;
  /** Of the set of fields around it. */
  readonly legend: { readonly text: string; readonly end: number } | undefined;
  /** The closed details around it. */
  readonly details: readonly { readonly start: number; readonly end: number }[];
}

/** The elements that have one name: a control, or the boxes of a choice. */
export type ElementGroup = readonly [FormElement, ...FormElement[]];

/** The elements of the forms to an address, those with one name together. @param action the address as the markup has it, escaped */
export function groupsIn(text: string, action: string): ElementGroup[] {
  const groups = new Map<string, [FormElement, ...FormElement[]]>();
  for (const element of elementsIn(text, action)) {
    const name = markupAttribute(element.tag, 'name');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [element]);
    else if (isBox(element.tag)) group.push(element);
  }
  return [...groups.values()];
}

const formTags = /<(\/?)(form|fieldset|legend|details|input|select|textarea)\b[^>]*>/g;

function elementsIn(text: string, action: string): FormElement[] {
  const elements: FormElement[] = [];
  const details: { start: number; end: number }[] = [];
  const legends: FormElement['legend'][] = [];
  let isOurs = false;
  for (const { 0: tag, 1: slash, 2: kind = '', index: start } of text.matchAll(formTags)) {
    const end = start + tag.length;
    const isEnd = slash === '/';
    if (kind === 'form') isOurs = !isEnd && markupAttribute(tag, 'action') === action;
    else if (kind === 'details') isEnd ? details.pop() : details.push({ start, end });
    else if (kind === 'fieldset') isEnd ? legends.pop() : legends.push(undefined);
    else if (kind === 'legend' && !isEnd) {
      const close = text.indexOf('</legend>', end);
      legends.splice(-1, 1, { text: text.slice(end, close), end: close + '</legend>'.length });
    } else if (!isEnd && isOurs && !/ type="(?:hidden|submit)"/.test(tag)) {
      const closed = details.filter((one) => text.slice(one.start, one.end) === '<details>');
      const close = kind === 'input' ? (isBox(tag) ? '</label>' : '') : `</${kind}>`;
      const after = close === '' ? end : text.indexOf(close, end) + close.length;
      elements.push({ kind, tag, start, end, after, legend: legends.at(-1), details: closed });
    }
  }
  return elements;
}

/** Whether a tag is a box to tick or a radio button. */
export function isBox(tag: string): boolean {
  return / type="(?:checkbox|radio)"/.test(tag);
}

/** Whether the elements are boxes among which a person chooses. */
export function isGroup([{ tag }, ...others]: ElementGroup): boolean {
  return others.length > 0 || / type="radio"/.test(tag);
}

/** The labels of a page, without tags, by the identifiers of their elements. */
export function labelsIn(text: string): Map<string, string> {
  const found = text.matchAll(/<label for="([^"]*)"(?: class="[^"]*")?>(.*?)<\/label>/gs);
  return new Map([...found].map(([, id = '', label = '']) => [id, label.replace(/<[^>]*>/g, '')]));
}

/** An attribute as the markup has it, escaped. */
export function markupAttribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
