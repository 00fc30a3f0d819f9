import fc, { type Arbitrary } from 'fast-check';
import t from 'tap';
import { SignedXml } from 'xml-crypto';
import { ProviderFailure } from '#src/connections/provider/provider-failure.js';
import type { ExpectedResponse } from '#src/connections/saml/expected-response.js';
import { verifyResponse } from '#src/connections/saml/verify-response.js';
import { damagedText } from '../../../support/hostile/damaged.js';
import { fuzzing } from '../../../support/hostile/fuzz.js';
import { libraryVerdict } from '../../../support/saml/library-verdict.js';
import {
  assertionXml,
  makeSamlKey,
  responseXml,
  signElement,
  toBase64,
  usuallySaid,
} from '../../../support/saml/saml-documents.js';

/** Two verifications that share no parser and no search: whatever this service takes, `@node-saml/node-saml` takes too, about the same person. */

/** A busy machine takes its time, and `FUZZ_ROUNDS` more of it. */
const timeout = 1_000_000;
const now = new Date('2026-03-01T12:00:00Z');
const [provider, attacker] = [makeSamlKey(), makeSamlKey()];
const fixed = {
  issuer: 'https://idp.example/saml',
  acsUrl: 'https://muster.example/acs',
  audience: 'https://muster.example/metadata',
  requestId: '_request-1',
  now,
};
const expected: Omit<ExpectedResponse, 'response' | 'signed'> = {
  ...{ entityId: fixed.issuer, certificates: [provider.certificate], allowsSha1: false },
  ...{ acsUrl: fixed.acsUrl, audience: fixed.audience, requestId: fixed.requestId, now: now.getTime() },
};
const said = usuallySaid({ ...fixed, attributes: { mail: 'anna@acme.example', groups: ['a', 'b'] } });
const plain = responseXml(said, assertionXml(said));
const signing = { key: provider };
const ofAssertion = signElement(plain, 'Assertion', signing);
const ofResponse = signElement(plain, 'Response', signing);
const ofBoth = signElement(ofAssertion, 'Response', signing);
const evil = assertionXml({ ...said, id: '_evil', nameId: 'boss' });
const byAttacker = signElement(responseXml(said, evil), 'Assertion', { key: attacker });

async function outcome(xml: string, signed: ExpectedResponse['signed']) {
  try {
    const { nameId } = await verifyResponse({ ...expected, signed, response: toBase64(xml) });
    return { name: nameId?.value };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { problem: error.problem };
  }
}

/** The elements of these documents, as texts. */
const names = [
  'Assertion',
  'Signature',
  'SignedInfo',
  'Reference',
  'Transforms',
  'DigestValue',
  'SignatureValue',
];
const elements = [ofAssertion, ofResponse, ofBoth, byAttacker].flatMap((xml) =>
  [...names, 'Subject', 'NameID', 'Issuer', 'Conditions', 'KeyInfo', 'Status'].flatMap(
    (name) => new RegExp(`<(?:\\w+:)?${name}[ >].*?</(?:\\w+:)?${name}>`, 's').exec(xml)?.[0] ?? [],
  ),
);
const fragments = [
  ...elements,
  evil,
  ...[
    '<!-- -->',
    '<?x y?>',
    '<![CDATA[x]]>',
    '<!DOCTYPE x>',
    '&#10;',
    '&#13;',
    '&amp;',
    '\r\n',
    ' ',
    'x',
    '\u2028',
  ],
  ...[
    '<x/>',
    '<x xmlns="urn:x" ID="_assertion-1"/>',
    '</saml:NameID><saml:NameID>',
    '<saml:NameID>boss</saml:NameID>',
  ],
];
const inTags = [
  ...[
    ' ID="_assertion-1"',
    ' Id="_evil"',
    ' xml:id="_x"',
    ' xmlns:saml="urn:x"',
    ' xmlns="urn:x"',
    ' xmlns:ds="urn:y"',
  ],
  ...[' xml:space="preserve"', ' x="y"', ' xmlns:u="urn:unused"', ' Algorithm="urn:x"', '\n'],
];

type Change = (xml: string) => string;
const at = <Found>(found: readonly Found[], n: number) => found[n % Math.max(1, found.length)];

/** One change, as an attacker makes it who knows the documents. */
const changes: Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.constantFrom(...fragments), fc.nat()).map(
    ([piece, n]): Change =>
      (xml) => {
        const place = at([...xml.matchAll(/<|>/g)], n);
        if (place === undefined) return xml;
        const index = place.index + (place[0] === '>' ? 1 : 0);
        return xml.slice(0, index) + piece + xml.slice(index);
      },
  ),
  fc.tuple(fc.constantFrom(...inTags), fc.nat()).map(
    ([piece, n]): Change =>
      (xml) => {
        const place = at([...xml.matchAll(/<[\w:]+/g)], n);
        if (place === undefined) return xml;
        const index = place.index + place[0].length;
        return xml.slice(0, index) + piece + xml.slice(index);
      },
  ),
  fc.tuple(fc.constantFrom(...elements), fc.constantFrom('', evil, ...elements)).map(
    ([from, to]): Change =>
      (xml) =>
        xml.replace(from, () => to),
  ),
  fc.constantFrom<Change>(
    (xml) => xml.replace('>anna<', '>boss<'),
    (xml) => xml.replace('>anna<', '>&#97;nna<'),
    (xml) => xml.replaceAll('ds:', 'sig:'),
    (xml) => xml.replaceAll('xmlns:ds', 'xmlns:sig').replaceAll('ds:', 'sig:'),
    (xml) => xml.replaceAll('_assertion-1', '_evil'),
    (xml) => xml.replaceAll('><', '>\n<'),
    (xml) => xml.replaceAll('"', "'"),
    (xml) => xml.replaceAll('/>', ' />'),
  ),
);
const changed = fc
  .tuple(fc.constantFrom(ofAssertion, ofResponse, ofBoth), fc.array(changes, { minLength: 1, maxLength: 3 }))
  .map(([xml, all]) => all.reduce((text, change) => change(text), xml));

t.test(
  'whatever is taken is taken by the library of others, about the same person',
  { timeout },
  async (t) => {
    let taken = 0;
    const agrees = async (xml: string, signed: ExpectedResponse['signed']) => {
      const found = await outcome(xml, signed);
      if ('problem' in found) return;
      taken++;
      const parts = { response: signed === 'response', assertion: signed === 'assertion' };
      const theirs = await libraryVerdict(xml, { certificates: expected.certificates, signed: parts });
      if (found.name !== 'anna' || theirs !== 'anna') throw new Error(`${found.name}, and ${theirs}: ${xml}`);
    };
    const documents = fc.oneof(
      { weight: 4, arbitrary: changed },
      { weight: 1, arbitrary: fc.constantFrom(ofAssertion, ofBoth, ofResponse).chain(damagedText) },
    );
    const property = fc.asyncProperty(
      documents,
      fc.constantFrom<ExpectedResponse['signed']>('assertion', 'response'),
      agrees,
    );
    await fc.assert(property, fuzzing(400));
    t.ok(taken > 5, `only ${taken} were taken, so the test says little`);
  },
);

/** Elements of others in an assertion: namespaces, prefixes, attributes and texts in all ways. */
const oddElement: Arbitrary<string> = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .record({
      prefix: fc.constantFrom('', 'p:', 'q:', 'saml:'),
      name: fc.constantFrom('a', 'b', 'C', 'long-name.1'),
      namespaces: fc.subarray(
        ['xmlns="urn:d"', 'xmlns:p="urn:p2"', 'xmlns:q="urn:q"', 'xmlns:unused="urn:u"', 'xmlns:P="urn:p"'],
        { maxLength: 3 },
      ),
      attributes: fc.subarray([
        ...['z="1"', 'a="&#10;&amp;&lt;&quot;\'"', "B=' \t\n&#9;'", 'p:x="\u{1F600}"', 'q:a="é"'],
        ...['xml:lang="de"', 'xml:space="preserve"'],
      ]),
      text: fc.constantFrom('', 'text', '\n  ', '&amp;&lt;&gt;&#13;', ']]&gt;', '\u00a0é\u{1F600}', '"\''),
      inner: fc.array(tie('element'), { maxLength: 2, depthIdentifier: 'element', size: 'xsmall' }),
      tail: fc.constantFrom('', ' ', 'x'),
    })
    .map(({ prefix, name, namespaces, attributes, text, inner, tail }) => {
      const tag = `${prefix}${name}`;
      return `<${[tag, ...namespaces, ...attributes].join(' ')}>${text}${inner.join(tail)}</${tag}>${tail}`;
    }),
})).element;

t.test('whatever the library signs is taken', { timeout }, async () => {
  const methods = [
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ];
  const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
  const how = fc.record({
    element: oddElement,
    name: fc.constantFrom('Assertion', 'Response'),
    canonicalization: fc.constantFrom(...methods),
    isExclusive: fc.boolean(),
    prefixes: fc.subarray(['p', 'q', 'saml', 'none']),
    outside: fc.constantFrom('', ' xmlns="urn:outside"', ' xmlns:P="urn:P"'),
  });
  const property = fc.asyncProperty(how, async (of) => {
    const inner = assertionXml({ ...said, more: of.element });
    const xml = responseXml(said, inner).replace(
      '<samlp:Response ',
      `<samlp:Response xmlns:p="urn:p" xmlns:q="urn:q2"${of.outside} `,
    );
    const signer = new SignedXml({
      privateKey: provider.privateKey,
      publicCert: provider.certificate,
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: of.canonicalization as never,
    });
    const xpath = `//*[local-name(.)='${of.name}']`;
    signer.addReference({
      xpath,
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
      transforms: [enveloped, ...(of.isExclusive ? methods.slice(0, 1) : [])],
      inclusiveNamespacesPrefixList: of.isExclusive ? of.prefixes : [],
    });
    const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } as const;
    signer.computeSignature(xml, { prefix: 'ds', location });
    const signed = of.name === 'Assertion' ? 'assertion' : 'response';
    const parts = { response: signed === 'response', assertion: signed === 'assertion' };
    const sent = signer.getSignedXml();
    const theirs = await libraryVerdict(sent, { certificates: expected.certificates, signed: parts });
    // The library does not verify each signature that it makes.
    if (theirs !== 'anna') return;
    const found = await outcome(sent, signed);
    if ('problem' in found && found.problem !== 'answerInvalid') throw new Error(`${found.problem}: ${sent}`);
  });
  await fc.assert(property, fuzzing(25));
});
