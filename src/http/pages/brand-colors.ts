import { type BrandPalette, type ColorScheme, cssProperties, palettes } from './palette.js';

/** The contrast of text (WCAG 2.2 success criterion 1.4.3), and of the border of a control (1.4.11). */
const textContrast = 4.5;
const edgeContrast = 3;

const black = '#000000';
const white = '#ffffff';

/**
 * The colours that a page takes from the colour of an organization. Buttons have the colour itself, with black or white text: one of
 * both always has the contrast. Links and borders have the next darker or lighter colour with enough contrast.
 */
export function brandPalette(color: string, scheme: ColorScheme): BrandPalette {
  const { card, ground, field } = palettes[scheme];
  const onfill = contrast(color, white) >= textContrast ? white : black;
  const away = scheme === 'light' ? black : white;
  return {
    accent: adapted(color, { away, behind: [card, ground, field], least: textContrast }),
    fill: color,
    onfill,
    // Away from the text, so that the contrast grows.
    fillhover: mix(color, onfill === white ? black : white, 0.12),
    filledge: adapted(color, { away, behind: [card], least: edgeContrast }),
  };
}

/** The style sheet that gives a page the colour of an organization. It follows that of all pages. */
export function brandStyle(color: string): string {
  const light = cssProperties(brandPalette(color, 'light'));
  const dark = cssProperties(brandPalette(color, 'dark'));
  return `:root{${light}}@media(prefers-color-scheme:dark){:root{${dark}}}`;
}

/** The style sheet that shows a page in light or in dark, whatever the browser asks for. It follows that of all pages. */
export function schemeStyle(scheme: ColorScheme, color: string | undefined): string {
  const colors = { ...palettes[scheme], ...(color !== undefined && brandPalette(color, scheme)) };
  return `:root{color-scheme:${scheme};${cssProperties(colors)}}`;
}

/** The contrast of a colour with what is behind the text of a page, and the colour that links have instead of it. */
export function linkContrast(color: string, scheme: ColorScheme): { contrast: number; shown: string } {
  const { card, ground, field } = palettes[scheme];
  const least = Math.min(...[card, ground, field].map((behind) => contrast(color, behind)));
  return { contrast: least, shown: brandPalette(color, scheme).accent };
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes in as little black or white as gives the contrast. */
function adapted(
  color: string,
  { away, behind, least }: { away: string; behind: readonly string[]; least: number },
): string {
  for (let percent = 0; percent < 100; percent++) {
    const mixed = mix(color, away, percent / 100);
    if (behind.every((other) => contrast(mixed, other) >= least)) return mixed;
  }
  return away;
}

/** The relative luminance of a colour (WCAG 2.2, definition of relative luminance). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, i) => Math.round(value + ((others[i] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Red, green and blue of `#rrggbb`, from 0 to 255. */
function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
