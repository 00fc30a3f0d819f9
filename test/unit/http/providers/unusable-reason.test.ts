import t from 'tap';
import type { ProviderFault } from '#src/connections/provider/provider-failure.js';
import { languages } from '#src/http/base/language.js';
import { en } from '#src/http/providers/unusable/texts/en.js';
import { unusableInWords } from '#src/http/providers/unusable/unusable-reason.js';

/** A fault without a line here is an error of types. */
const faults: Readonly<Record<ProviderFault, true>> = {
  ...{ notHttps: true, privateAddress: true, unknownHost: true, unresolvedHost: true, unreachable: true },
  ...{ untrusted: true, tooSlow: true, wrongStatus: true, tooLarge: true, notJson: true },
  ...{
    discoveryMissing: true,
    githubMissing: true,
    issuerDiffers: true,
    addressMissing: true,
    keysMissing: true,
  },
  ...{ metadataBroken: true, providerMissing: true, severalProviders: true, protocolDiffers: true },
  ...{ outOfDate: true, incomplete: true, certificatesUnusable: true, providerDiffers: true, busy: true },
};

t.test('each fault of a provider has a sentence of its own in each language', (t) => {
  t.strictSame(Object.keys(en).sort(), Object.keys(faults).sort());
  const sentences = languages.flatMap((language) =>
    Object.keys(faults).map((fault) => unusableInWords(language, { reason: fault })),
  );
  t.notOk(sentences.includes(undefined));
  t.equal(new Set(sentences).size, sentences.length);
  t.end();
});

t.test('the member of the discovery document stands first', (t) => {
  const words = unusableInWords('de', { reason: 'privateAddress', member: 'jwks_uri' });
  t.equal(words, `jwks_uri: ${unusableInWords('de', { reason: 'privateAddress' })}`);
  t.equal(unusableInWords('de', { reason: 'no fault', member: 'jwks_uri' }), undefined);
  t.end();
});

t.test('what is no fault has no sentence', (t) => {
  for (const reason of ['toString', '', undefined, 7, {}])
    t.equal(unusableInWords('en', { reason }), undefined);
  t.end();
});
