import t from 'tap';
import { html, sendingLabel, withValues } from '#src/http/pages/html.js';

/** Forms that come back with what was typed before. */

const filled = (markup: ReturnType<typeof html>, values: Record<string, string[]>) =>
  String(withValues(markup, values));

t.test('fields get their values, and those without one become empty', async (t) => {
  const fields = html`<input type="text" value="old" name="a" required><input type="number" value="3" name="b">
<textarea rows="2" name="c">old
lines</textarea>`;
  t.equal(
    filled(fields, { a: ['new'], c: ['1\n2'] }),
    `<input type="text" value="new" name="a" required><input type="number" value="" name="b">
<textarea rows="2" name="c">1
2</textarea>`,
  );
});

t.test('a text that begins with an empty line keeps it', async (t) => {
  const area = html`<textarea name="c">old</textarea>`;
  for (const [typed, shown] of [
    ['\nb', '\n\nb'],
    ['\r\nb', '\n\r\nb'],
    ['a\nb', 'a\nb'],
  ] as const)
    t.equal(filled(area, { c: [typed] }), `<textarea name="c">${shown}</textarea>`);
});

t.test('choices are made as before', async (t) => {
  const box = (value: string, isOn: boolean) =>
    html`<input type="checkbox" name="box" value="${value}"${isOn && html` checked`}>`;
  t.equal(
    filled(html`${box('1', true)}${box('2', false)}`, { box: ['2'] }),
    '<input type="checkbox" name="box" value="1"><input type="checkbox" name="box" value="2" checked>',
  );
  t.equal(filled(box('1', true), {}), '<input type="checkbox" name="box" value="1">');
  const select = html`<select name="s"><option value="">none</option><option value="x" selected>X</option>
<option value="is selected now">Y</option></select>`;
  t.equal(
    filled(select, { s: ['is selected now'] }),
    `<select name="s"><option value="">none</option><option value="x">X</option>
<option value="is selected now" selected>Y</option></select>`,
  );
});

t.test('a choice that does not come back must be made once more', async (t) => {
  const radios = html`<input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2">`;
  t.equal(
    filled(radios, {}),
    '<input type="radio" name="r" value="1" required><input type="radio" name="r" value="2" required>',
  );
  t.equal(
    filled(radios, { r: ['2'] }),
    '<input type="radio" name="r" value="1"><input type="radio" name="r" value="2" checked>',
  );
});

t.test('nothing secret and nothing hidden is filled in', async (t) => {
  const text = `<input type="hidden" name="a" value="h"><input type="password" value="" name="a"><input type="file" name="a">
<input type="text" value="" name="a" class="exact masked"><textarea name="a" class="exact masked">t</textarea>`;
  const same = html`<input type="hidden" name="a" value="h"><input type="password" value="" name="a"><input type="file" name="a">
<input type="text" value="" name="a" class="exact masked"><textarea name="a" class="exact masked">t</textarea>`;
  t.equal(filled(same, { a: ['SECRET'] }), text);
});

t.test('details are open, so that the person sees what the form has', async (t) => {
  t.equal(
    filled(html`<details><summary>s</summary></details>`, {}),
    '<details open><summary>s</summary></details>',
  );
});

t.test('hostile values and names stay text, and replacement patterns mean nothing', async (t) => {
  const hostile = [
    '"><script>alert(1)</script>',
    `' onfocus='x`,
    '</textarea><script>',
    "$& $1 $$ $` $'",
    '<input name="a" value="evil">',
    ' checked ',
    '&quot;',
  ];
  for (const value of hostile) {
    const page = html`<input type="text" value="old" name="${value}"><textarea name="b">old</textarea><select name="s"><option value="${value}">o</option></select>`;
    t.equal(
      filled(page, { [value]: [value], b: [value], s: [value] }),
      String(
        html`<input type="text" value="${value}" name="${value}"><textarea name="b">${value}</textarea><select name="s"><option value="${value}" selected>o</option></select>`,
      ),
      value,
    );
  }
  for (const name of ['__proto__', 'constructor', 'toString'])
    t.equal(
      filled(html`<input type="text" value="old" name="${name}">`, {}),
      `<input type="text" value="" name="${name}">`,
    );
});

t.test('a form is named by the label of its button', async (t) => {
  const form = (action: string, label: string) =>
    html`<form method="post" action="${action}"><input name="a"><button type="submit" class="quiet">${label}</button></form>`;
  const page = html`<p>x</p>${form('/a?b=1&c="2"', 'Take <away>')}${form('/b', 'B')}${form('/b', 'B')}${form('/c', 'C')}${form('/c', 'D')}`;
  t.equal(String(sendingLabel(page, '/a?b=1&c="2"')), 'Take &lt;away&gt;');
  t.equal(String(sendingLabel(page, '/b')), 'B');
  t.equal(sendingLabel(page, '/c'), undefined, 'it is not clear which');
  t.equal(sendingLabel(page, '/d'), undefined);
});
