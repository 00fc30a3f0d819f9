import type { FastifyRequest } from 'fastify';

/** Languages of the pages. The first is the default. */
export const languages = ['en', 'de', 'fr', 'es', 'it'] as const;

export type Language = (typeof languages)[number];

const known: ReadonlySet<string> = new Set(languages);
/** The most language tags of a header that are read. */
const maxTags = 20;

/**
 * The language of a page: the first preferred locale in which pages are written, or else the best match with
 * the browser's header (RFC 4647 section 3.4, RFC 9110 section 12.5.4).
 * @param locales BCP 47 tags in order of preference, such as those of `ui_locales`
 */
export function chooseLanguage(locales: readonly string[], acceptLanguage?: string | undefined): Language {
  return firstKnown(locales.slice(0, maxTags)) ?? firstKnown(acceptedTags(acceptLanguage)) ?? languages[0];
}

/** The language of a page for this browser. */
export function pageLanguage(request: FastifyRequest, locales: readonly string[] = []): Language {
  return chooseLanguage(locales, request.headers['accept-language']);
}

function firstKnown(tags: readonly string[]): Language | undefined {
  const primary = tags.map((tag) => tag.split('-', 1)[0]?.toLowerCase() ?? '');
  return primary.find((tag) => known.has(tag)) as Language | undefined;
}

function acceptedTags(header = ''): string[] {
  return header
    .split(',', maxTags)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
