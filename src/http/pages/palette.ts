/** The colours of the pages, as `#rrggbb`. */
interface Palette {
  /** Behind everything. */
  readonly ground: string;
  /** Behind text. */
  readonly card: string;
  readonly ink: string;
  /** Text that matters less. */
  readonly soft: string;
  /** Lines between parts. */
  readonly line: string;
  /** The border of fields and quiet buttons. */
  readonly edge: string;
  readonly field: string;
  /** Links, and marks of what is chosen. */
  readonly accent: string;
  /** Behind the text of buttons. */
  readonly fill: string;
  readonly onfill: string;
  /** Behind the text of a button that the pointer is on. */
  readonly fillhover: string;
  /** The border of buttons, which shows their shape even if their colour is that of the card. */
  readonly filledge: string;
  readonly bad: string;
  readonly badground: string;
  readonly good: string;
  readonly goodground: string;
}

/** The part of the palette that an organization's colour replaces. */
export type BrandPalette = Pick<Palette, 'accent' | 'fill' | 'onfill' | 'fillhover' | 'filledge'>;

export type ColorScheme = 'light' | 'dark';

/** Text has a contrast of at least 4.5:1 with what is behind it (WCAG 2.2 success criterion 1.4.3). */
export const palettes: Readonly<Record<ColorScheme, Palette>> = {
  light: {
    ground: '#f3f4f7',
    card: '#ffffff',
    ink: '#171a21',
    soft: '#565e6d',
    line: '#e1e4ea',
    edge: '#858d9b',
    field: '#ffffff',
    accent: '#3047c8',
    fill: '#3047c8',
    onfill: '#ffffff',
    fillhover: '#263aa8',
    filledge: '#3047c8',
    bad: '#b3201b',
    badground: '#fdf0ef',
    good: '#12623a',
    goodground: '#ebf6ef',
  },
  dark: {
    ground: '#0e1014',
    card: '#171a20',
    ink: '#eceef2',
    soft: '#a7aebb',
    line: '#2b303a',
    edge: '#717a89',
    field: '#101318',
    accent: '#a3b4ff',
    fill: '#4a63e0',
    onfill: '#ffffff',
    fillhover: '#3c54cc',
    filledge: '#6b81ee',
    bad: '#ffb0aa',
    badground: '#341a1c',
    good: '#93dcae',
    goodground: '#142b1e',
  },
};

/** The palette, or a part of it, as properties of CSS. */
export function cssProperties(colors: Partial<Palette>): string {
  return Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');
}
