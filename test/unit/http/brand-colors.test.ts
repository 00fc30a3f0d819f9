import t from 'tap';
import { brandPalette, brandStyle, contrast } from '#src/http/pages/brand-colors.js';
import { type ColorScheme, palettes } from '#src/http/pages/palette.js';

const schemes = Object.keys(palettes) as ColorScheme[];

t.test('contrast ratios are those of WCAG', (t) => {
  t.equal(contrast('#000000', '#ffffff'), 21);
  t.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  t.equal(contrast('#0000ff', '#ffffff').toFixed(2), '8.59');
  t.equal(contrast('#123456', '#123456'), 1);
  t.end();
});

t.test('every text of the palettes can be read', (t) => {
  for (const scheme of schemes) {
    const { ground, card, field, ...colors } = palettes[scheme];
    const pairs: [string, string][] = [
      ...[colors.ink, colors.soft, colors.accent].flatMap((text): [string, string][] => [
        [text, ground],
        [text, card],
      ]),
      [colors.ink, field],
      [colors.bad, colors.badground],
      [colors.bad, card],
      [colors.good, colors.goodground],
      [colors.good, card],
      [colors.onfill, colors.fill],
      [colors.onfill, colors.fillhover],
    ];
    for (const [text, behind] of pairs)
      t.ok(contrast(text, behind) >= 4.5, `${scheme}: ${text} on ${behind}`);
    for (const line of [colors.edge, colors.filledge])
      t.ok(contrast(line, card) >= 3, `${scheme}: the border ${line}`);
  }
  t.end();
});

t.test('any colour of an organization gives text that can be read, in light and in dark', (t) => {
  const colors = [];
  for (let red = 0; red < 256; red += 51)
    for (let green = 0; green < 256; green += 51)
      for (let blue = 0; blue < 256; blue += 51)
        colors.push(`#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`);
  // Neither plain white nor near-black text would do on this one.
  colors.push('#767676', '#7a7a7a', '#808080');
  for (const color of colors) {
    for (const scheme of schemes) {
      const { accent, fill, onfill, fillhover, filledge } = brandPalette(color, scheme);
      const { card, ground } = palettes[scheme];
      const worst = Math.min(
        contrast(accent, card),
        contrast(accent, ground),
        contrast(onfill, fill),
        contrast(onfill, fillhover),
      );
      if (worst < 4.5) t.fail(`${color} in ${scheme}: ${worst}`);
      if (contrast(filledge, card) < 3) t.fail(`${color} in ${scheme}: the border`);
      t.equal(fill, color, 'buttons have the colour itself');
    }
  }
  t.end();
});

t.test('a colour that is good stays, and another changes only as far as needed', (t) => {
  t.match(brandPalette('#0a6b4f', 'light'), { accent: '#0a6b4f', fill: '#0a6b4f', onfill: '#ffffff' });
  const yellow = brandPalette('#ffd400', 'light');
  t.match(yellow, { fill: '#ffd400', onfill: '#000000' });
  t.ok(contrast(yellow.accent, '#ffffff') < 6, yellow.accent);
  t.match(brandPalette('#ffd400', 'dark'), { accent: '#ffd400' });
  t.match(
    brandStyle('#0a6b4f'),
    /^:root\{--accent:#0a6b4f;.*\}@media\(prefers-color-scheme:dark\)\{:root\{.*\}\}$/,
  );
  t.end();
});
