import { createHmac } from 'node:crypto';
import t from 'tap';
import { SignedXml } from 'xml-crypto';
import { ProviderFailure } from '#src/connections/provider/provider-failure.js';
import type { ExpectedResponse } from '#src/connections/saml/expected-response.js';
import { verifyResponse } from '#src/connections/saml/verify-response.js';
import {
  assertionXml,
  encryptedXml,
  makeSamlKey,
  responseXml,
  type Said,
  signElement,
  toBase64,
  usuallySaid,
} from '../../../support/saml/saml-documents.js';

/**
 * The known attacks on SAML responses. An attacker has a response of the provider about `anna`, and wants to be `boss`. Whatever it sends, it is
 * refused, or `anna` stays `anna`.
 */

const now = new Date('2026-03-01T12:00:00Z');
const [provider, ours, attacker] = [makeSamlKey(), makeSamlKey(), makeSamlKey()];
const fixed = {
  issuer: 'https://idp.example/saml',
  acsUrl: 'https://muster.example/acs',
  audience: 'https://muster.example/metadata',
  requestId: '_request-1',
  now,
};
const expected: Omit<ExpectedResponse, 'response'> = {
  entityId: fixed.issuer,
  certificates: [provider.certificate],
  signed: 'assertion',
  allowsSha1: false,
  privateKey: ours.privateKey,
  acsUrl: fixed.acsUrl,
  audience: fixed.audience,
  requestId: fixed.requestId,
  now: now.getTime(),
};

const said = (more: Partial<Said> = {}) => usuallySaid({ ...fixed, ...more });
const signing = { key: provider };
const plain = responseXml(said(), assertionXml(said()));
const signed = signElement(plain, 'Assertion', signing);
const signedResponse = signElement(plain, 'Response', signing);
const evil = assertionXml(said({ id: '_evil', nameId: 'boss' }));

/** What the assertion says, or why the response is refused. */
const verify = (xml: string, more: Partial<ExpectedResponse> = {}) =>
  verifyResponse({ ...expected, response: toBase64(xml), ...more }).catch((error: unknown) => {
    if (!(error instanceof ProviderFailure)) throw error;
    return { problem: error.problem, detail: error.message };
  });

/** The problem for which a document is refused, or the name of the person. */
async function outcome(xml: string, more: Partial<ExpectedResponse> = {}): Promise<string | undefined> {
  const verified = await verify(xml, more);
  return 'problem' in verified ? verified.problem : verified.nameId?.value;
}

const partOf = (xml: string, name: string) =>
  new RegExp(`<(?:\\w+:)?${name}[ >].*</(?:\\w+:)?${name}>`, 's').exec(xml)?.[0] ?? '';
const assertion = partOf(signed, 'Assertion');
const signature = partOf(assertion, 'Signature');
const withNamespaces = (xml: string) =>
  xml.replace(
    /^<saml:Assertion(?! xmlns:saml)/,
    '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
  );

t.test('a response that behaves is read', async (t) => {
  t.equal(await outcome(signed), 'anna');
  t.equal(await outcome(signedResponse, { signed: 'response' }), 'anna');
  const both = signElement(signed, 'Response', signing);
  t.equal(await outcome(both), 'anna');
  t.equal(await outcome(both, { signed: 'response' }), 'anna');
  const rotated = { certificates: [attacker.certificate, provider.certificate] };
  t.equal(await outcome(signed, rotated), 'anna', 'any certificate of the connection');
});

t.test('what a response says is read', async (t) => {
  const told = said({
    nameId: 'anna &amp; co',
    sessionEnds: new Date('2026-03-01T20:00:00Z'),
    attributes: { mail: 'anna@acme.example', groups: ['a', 'b'], empty: '' },
  });
  const xml = signElement(responseXml(told, assertionXml(told)), 'Assertion', signing);
  t.strictSame(await verify(xml), {
    id: '_assertion-1',
    nameId: { value: 'anna & co', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
    attributes: [
      ['mail', ['anna@acme.example']],
      ['groups', ['a', 'b']],
      ['empty', []],
    ],
    authnInstant: now.getTime(),
    authnContext: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    sessionIndex: '_session-1',
    sessionEnds: Date.parse('2026-03-01T20:00:00Z'),
  });
});

t.test('all eight forms of signature wrapping', async (t) => {
  const evilResponse = plain
    .replace('_response-1', '_evil-response')
    .replace(partOf(plain, 'Assertion'), evil);
  const responseSignature = partOf(signedResponse, 'Signature');
  const bare = withNamespaces(assertion.replace(signature, ''));
  const evilSigned = evil.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
  const put = (content: string) => signed.replace(assertion, content);
  const inSignature = (wrapped: string) => signature.replace('</ds:Signature>', `${wrapped}</ds:Signature>`);
  const inResponseSignature = responseSignature.replace('</ds:Signature>', `${plain}</ds:Signature>`);
  const wrapped: [name: string, xml: string, signedPart?: 'response'][] = [
    ['1', evilResponse.replace('<samlp:Status>', `${inResponseSignature}<samlp:Status>`), 'response'],
    ['2', evilResponse.replace('<samlp:Status>', `${plain}${responseSignature}<samlp:Status>`), 'response'],
    ['3', put(`${evil}${assertion}`)],
    ['3, the other order', put(`${assertion}${evil}`)],
    ['4', put(evil.replace('</saml:Assertion>', `${withNamespaces(assertion)}</saml:Assertion>`))],
    ['5', put(`${evilSigned}${bare}`)],
    ['6', put(evil.replace('</saml:Issuer>', `</saml:Issuer>${inSignature(bare)}`))],
    ['7', signed.replace('<samlp:Status>', `<samlp:Extensions>${evil}</samlp:Extensions><samlp:Status>`)],
    [
      '8',
      put(evil.replace('</saml:Issuer>', `</saml:Issuer>${inSignature(`<ds:Object>${bare}</ds:Object>`)}`)),
    ],
    ['with the identifier of the signed one', put(`${evil.replace('_evil', '_assertion-1')}${assertion}`)],
    ['in place of the signed one', put(evilSigned.replace('_evil', '_assertion-1'))],
    ['another namespace', put(`${evil.replaceAll(':assertion"', ':other"')}${assertion}`)],
    ['another prefix', put(`${evil.replaceAll('saml:', 'x:').replace('xmlns:saml', 'xmlns:x')}${assertion}`)],
    ['in the subject', put(assertion.replace('</saml:Subject>', `${evil}</saml:Subject>`))],
  ];
  for (const [name, xml, part] of wrapped) {
    t.notMatch(await outcome(xml, part && { signed: part }), /anna|boss/, `wrapping ${name}`);
  }
});

t.test('a comment does not cut a name', async (t) => {
  const commented = said({ nameId: 'boss@acme.example.evil.example' });
  const xml = signElement(responseXml(commented, assertionXml(commented)), 'Assertion', signing);
  t.equal(await outcome(xml), 'boss@acme.example.evil.example');
  const cut = xml.replace('.evil.example', '<!-- -->.evil.example');
  t.equal(await outcome(cut), 'answerInvalid');
  t.equal(await outcome(xml.replace('.evil.example', '<?x y?>.evil.example')), 'answerInvalid');
  t.equal(await outcome(xml.replace('boss', '<![CDATA[boss]]>')), 'answerInvalid');
});

t.test('nothing unsigned is read', async (t) => {
  t.equal(await outcome(plain), 'signatureInvalid', 'no signature at all');
  t.equal(await outcome(signedResponse), 'signatureInvalid', 'the assertion itself must be signed');
  t.equal(await outcome(signed, { signed: 'response' }), 'signatureInvalid', 'or the whole response');
  t.equal(await outcome(signed.replace('>anna<', '>boss<')), 'signatureInvalid');
  t.equal(
    await outcome(signedResponse.replace('>anna<', '>boss<'), { signed: 'response' }),
    'signatureInvalid',
  );
  const renewed = signed.replace(/NotOnOrAfter="2026-03-01T12:05/g, 'NotOnOrAfter="2027-03-01T12:05');
  t.equal(await outcome(renewed), 'signatureInvalid');
  const badOther = signElement(signed, 'Response', { key: attacker });
  t.equal(await outcome(badOther), 'signatureInvalid', 'a wrong signature beside a right one');
});

t.test('only the keys of the connection count', async (t) => {
  const foreign = signElement(plain, 'Assertion', { key: attacker });
  t.equal(await outcome(foreign), 'signatureInvalid');
  const shown = signElement(plain, 'Assertion', { key: attacker, shown: provider.certificate });
  t.equal(await outcome(shown), 'signatureInvalid', 'KeyInfo names the right certificate');
  t.equal(
    await outcome(signElement(plain, 'Assertion', { key: provider, shown: attacker.certificate })),
    'anna',
  );
  const noKeyInfo = signed.replace(/<ds:KeyInfo>.*?<\/ds:KeyInfo>/s, '');
  t.equal(await outcome(noKeyInfo), 'anna', 'KeyInfo says nothing here');
  const retrieved = signed.replace(
    /<ds:KeyInfo>.*?<\/ds:KeyInfo>/s,
    '<ds:KeyInfo><ds:RetrievalMethod URI="https://evil.example/key"/></ds:KeyInfo>',
  );
  t.equal(await outcome(retrieved), 'answerInvalid', 'a key elsewhere');
});

t.test('algorithms that prove nothing', async (t) => {
  const dsig = 'http://www.w3.org/2000/09/xmldsig#';
  const swap = (from: RegExp, to: string) => signed.replace(from, to);
  const method = /Algorithm="[^"]*rsa-sha256"/;
  for (const algorithm of [
    `${dsig}hmac-sha1`,
    'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
    'none',
    '',
  ]) {
    t.equal(await outcome(swap(method, `Algorithm="${algorithm}"`)), 'signatureInvalid', algorithm);
  }
  // The certificate as the secret of an HMAC: every reader of the metadata knows it.
  const info = partOf(signed, 'SignedInfo').replace(method, `Algorithm="${dsig}hmac-sha1"`);
  const mac = createHmac('sha1', provider.certificate).update(info).digest('base64');
  const hmac = signed
    .replace(partOf(signed, 'SignedInfo'), info)
    .replace(/(<ds:SignatureValue>)[^<]*/, `$1${mac}`);
  t.equal(await outcome(hmac), 'signatureInvalid');
  t.equal(
    await outcome(signed.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>')),
    'signatureInvalid',
  );
  t.equal(await outcome(signed.replace(/<ds:DigestValue>[^<]*/, '<ds:DigestValue>')), 'signatureInvalid');
});

t.test('SHA-1 counts only if the connection says so', async (t) => {
  const dsig = 'http://www.w3.org/2000/09/xmldsig#';
  for (const weak of [{ signatureAlgorithm: `${dsig}rsa-sha1` }, { digestAlgorithm: `${dsig}sha1` }]) {
    const xml = signElement(plain, 'Assertion', { key: provider, ...weak });
    t.equal(await outcome(xml), 'signatureInvalid');
    t.equal(await outcome(xml, { allowsSha1: true }), 'anna');
  }
  const strong = signElement(plain, 'Assertion', {
    key: provider,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha512',
  });
  t.equal(await outcome(strong), 'anna');
});

t.test('transforms and references', async (t) => {
  const dsig = 'http://www.w3.org/2000/09/xmldsig#';
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const transform = (algorithm: string) => `<ds:Transform Algorithm="${algorithm}"/>`;
  const with2 = (more: string) => signed.replace('</ds:Transforms>', `${more}</ds:Transforms>`);
  for (const algorithm of [
    'http://www.w3.org/TR/1999/REC-xslt-19991116',
    'http://www.w3.org/TR/1999/REC-xpath-19991116',
    'http://www.w3.org/2002/06/xmldsig-filter2',
    `${dsig}base64`,
    `${exclusive}WithComments`,
    exclusive,
  ]) {
    t.equal(await outcome(with2(transform(algorithm))), 'signatureInvalid', algorithm);
  }
  const commented = signElement(plain, 'Assertion', {
    key: provider,
    transforms: [`${dsig}enveloped-signature`, `${exclusive}WithComments`],
  });
  t.equal(await outcome(commented), 'signatureInvalid');
  const whole = signed.replace(/URI="#[^"]*"/, 'URI=""');
  t.equal(await outcome(whole), 'signatureInvalid', 'a reference to the whole document');
  t.equal(await outcome(signed.replace(/URI="#[^"]*"/, 'URI="#_response-1"')), 'signatureInvalid');
  t.equal(await outcome(signed.replace(/URI="#[^"]*"/, 'URI="https://evil.example/"')), 'signatureInvalid');
  const reference = partOf(signed, 'Reference');
  t.equal(
    await outcome(signed.replace(reference, reference + reference)),
    'signatureInvalid',
    'two references',
  );
  const info = partOf(signed, 'SignedInfo');
  t.equal(await outcome(signed.replace(info, info + info)), 'signatureInvalid', 'two SignedInfo');
  const hidden = signed.replace('<ds:KeyInfo>', `<ds:KeyInfo>${info}`);
  t.equal(await outcome(hidden), 'signatureInvalid', 'SignedInfo in KeyInfo');
  t.equal(
    await outcome(signed.replace(signature, signature + signature)),
    'signatureInvalid',
    'two signatures',
  );
});

t.test('an identifier stands once', async (t) => {
  const doubled = signed.replace('<samlp:Status>', '<samlp:Status ID="_assertion-1">');
  t.equal(await outcome(doubled), 'answerInvalid');
  const otherCase = signed.replace('<samlp:Status>', '<samlp:Status Id="_assertion-1">');
  t.equal(await outcome(otherCase), 'answerInvalid');
  const named = signed.replace('<samlp:Status>', '<samlp:Status xml:id="_assertion-1">');
  t.equal(await outcome(named), 'answerInvalid');
});

t.test('two assertions, or none', async (t) => {
  const second = withNamespaces(
    partOf(signElement(responseXml(said(), evil), 'Assertion', signing), 'Assertion'),
  );
  t.equal(await outcome(signed.replace(assertion, assertion + second)), 'answerInvalid', 'both signed');
  t.equal(await outcome(responseXml(said(), '')), 'answerInvalid');
});

t.test('DTDs, entities and what is no XML', async (t) => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
  t.equal(await outcome(bomb + signed), 'answerInvalid');
  const external = '<!DOCTYPE x SYSTEM "https://evil.example/x.dtd">';
  t.equal(await outcome(external + signed), 'answerInvalid');
  const file = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
  t.equal(await outcome(file + signed.replace('>anna<', '>&e;<')), 'answerInvalid');
  for (const [what, xml] of Object.entries({
    'an entity without a DTD': signed.replace('>anna<', '>&e;<'),
    'an include': signed.replace(
      '<samlp:Status>',
      '<?xml-stylesheet href="https://evil.example"?><samlp:Status>',
    ),
    'no end': signed.slice(0, -20),
    'two roots': signed + signed,
    'text after the end': `${signed}x`,
    'an attribute twice': signed.replace('Version="2.0"', 'Version="2.0" Version="2.0"'),
    'a prefix without a namespace': signed.replace('<samlp:Status>', '<nobody:Status>'),
    nothing: ' ',
    JSON: '{"SAMLResponse":true}',
    HTML: '<html><body>',
    'another message': signed.replaceAll('samlp:Response', 'samlp:ArtifactResponse'),
    'another namespace': signed.replace('SAML:2.0:protocol', 'SAML:1.0:protocol'),
  })) {
    t.equal(await outcome(xml), 'answerInvalid', what);
  }
  t.match(await verify('', { response: 'not base64!' }), { problem: 'answerInvalid' });
  t.match(await verify('', { response: '' }), { problem: 'answerInvalid' });
  const latin = Buffer.from(signed.replace('>anna<', '>änna<'), 'latin1').toString('base64');
  t.match(await verify('', { response: latin }), { problem: 'answerInvalid' });
});

t.test('a document has bounds', async (t) => {
  const filled = (bytes: number) =>
    signed.replace(
      '<samlp:Status>',
      `<samlp:Extensions>${'x'.repeat(bytes)}</samlp:Extensions><samlp:Status>`,
    );
  t.equal(await outcome(filled(200_000)), 'anna');
  t.equal(await outcome(filled(262_144)), 'answerInvalid');
  const deep = (levels: number) =>
    signed.replace('<samlp:Status>', `${'<x>'.repeat(levels)}${'</x>'.repeat(levels)}<samlp:Status>`);
  t.equal(await outcome(deep(20)), 'anna');
  t.equal(await outcome(deep(40)), 'answerInvalid');
  t.equal(await outcome(deep(30_000)), 'answerInvalid');
  const many = signed.replace('<samlp:Status>', `<e>${'<x/>'.repeat(20_000)}</e><samlp:Status>`);
  t.equal(await outcome(many), 'answerInvalid');
  const wide = signed.replace(
    '<samlp:Status>',
    `<e ${Array.from({ length: 40 }, (_, n) => `xmlns:n${n}="u"`).join(' ')}/><samlp:Status>`,
  );
  t.equal(await outcome(wide), 'answerInvalid');
});

t.test('an assertion is for one service, one request and its time', async (t) => {
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const cases: [what: string, more: Partial<Said>][] = [
    ['another issuer', { issuer: 'https://other.example/saml' }],
    ['another audience', { audience: 'https://other.example/metadata' }],
    ['a longer audience', { audience: `${fixed.audience}/x` }],
    [
      'two restrictions, of which one is for another audience',
      {
        moreConditions:
          '<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>',
      },
    ],
    ['a condition that nobody knows', { moreConditions: '<x:Only xmlns:x="urn:x">7</x:Only>' }],
    ['expired', { notOnOrAfter: at(-1) }],
    ['the conditions expired', { conditionsEnd: at(-1.1) }],
    ['no end', { notOnOrAfter: undefined }],
    ['not yet', { notBefore: at(1.1) }],
    ['a session that has ended', { sessionEnds: at(-2) }],
    ['a second bearer', { moreSubject: confirmation('https://evil.example/') }],
    ['a second name', { moreSubject: '<saml:NameID>boss</saml:NameID>' }],
    ['a time that is none', { notBefore: 'tomorrow' }],
    ['an element in the name', { nameId: 'an<x>n</x>a' }],
  ];
  for (const [what, more] of cases) {
    const own = said(more);
    const xml = signElement(
      responseXml({ ...own, issuer: fixed.issuer }, assertionXml(own)),
      'Assertion',
      signing,
    );
    t.equal(await outcome(xml), 'assertionInvalid', what);
  }
  for (const own of [
    said({ acsUrl: 'https://other.example/acs' }),
    said({ requestId: '_request-2' }),
    said({ requestId: undefined }),
  ]) {
    const inside = signElement(responseXml(said(), assertionXml(own)), 'Assertion', signing);
    t.equal(await outcome(inside), 'assertionInvalid', 'the assertion');
    const outside = signElement(responseXml(own, assertionXml(said())), 'Assertion', signing);
    t.equal(await outcome(outside), 'answerInvalid', 'the response');
  }
  const skewed = said({ notBefore: at(0.9), notOnOrAfter: at(-0.9), conditionsEnd: at(-0.9) });
  t.equal(
    await outcome(signElement(responseXml(skewed, assertionXml(skewed)), 'Assertion', signing)),
    'anna',
  );
});

const confirmation = (recipient: string) =>
  `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${recipient}"/></saml:SubjectConfirmation>`;

t.test('encrypted assertions', async (t) => {
  const envelope = (content: string) => responseXml(said(), content);
  const inner = withNamespaces(assertion);
  const good = envelope(await encryptedXml(inner, ours));
  t.equal(await outcome(good), 'anna');
  t.equal(await outcome(signElement(good, 'Response', signing)), 'anna', 'signed, encrypted and signed');
  const unsignedInside = envelope(await encryptedXml(assertionXml(said()), ours));
  t.equal(await outcome(unsignedInside), 'signatureInvalid');
  const whole = signElement(unsignedInside, 'Response', signing);
  t.equal(await outcome(whole, { signed: 'response' }), 'anna');
  t.equal(await outcome(whole), 'signatureInvalid', 'the assertion itself must be signed');
  const cbc = { data: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' };
  t.equal(await outcome(envelope(await encryptedXml(inner, ours, cbc))), 'anna');

  t.equal(await outcome(good, { privateKey: undefined as never }), 'secretMissing');
  t.equal(await outcome(envelope(await encryptedXml(inner, attacker))), 'undecryptable');
  const pkcs1 = { wrap: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' };
  t.equal(await outcome(envelope(await encryptedXml(inner, ours, pkcs1))), 'undecryptable');
  const des = { data: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' };
  t.equal(await outcome(envelope(await encryptedXml(inner, ours, des))), 'undecryptable');
  const cut = good.replace(/(<(?:\w+:)?CipherValue>)(.{8})/g, '$1AAAAAAAA');
  t.equal(await outcome(cut), 'undecryptable');

  for (const [what, content] of Object.entries({
    'a DTD in what was encrypted': `<!DOCTYPE x [<!ENTITY e "boss">]>${inner}`,
    'a comment in what was encrypted': inner.replace('>anna<', '>an<!-- -->na<'),
    'two assertions in what was encrypted': `<x>${inner}${evil}</x>`,
    'another response in what was encrypted': signed,
    'an evil assertion around the signed one': evil.replace('</saml:Assertion>', `${inner}</saml:Assertion>`),
    'an assertion in the subject': inner.replace('</saml:Subject>', `${evil}</saml:Subject>`),
  })) {
    t.equal(await outcome(envelope(await encryptedXml(content, ours))), 'answerInvalid', what);
  }
  t.equal(
    await outcome(envelope(await encryptedXml(evil, ours))),
    'signatureInvalid',
    'encrypted by an attacker',
  );
  const other = await encryptedXml(evil, ours);
  t.equal(await outcome(envelope((await encryptedXml(inner, ours)) + other)), 'answerInvalid', 'two of them');
  t.equal(await outcome(envelope(inner + other)), 'answerInvalid', 'one open and one encrypted');
  const data = partOf(other, 'EncryptedData');
  t.equal(
    await outcome(good.replace('</saml:EncryptedAssertion>', `${data}</saml:EncryptedAssertion>`)),
    'answerInvalid',
  );
});

t.test('an answer that is an error', async (t) => {
  for (const [status, detail, problem] of [
    ['Responder', '', 'refusedByProvider'],
    ['Requester', 'InvalidNameIDPolicy', 'refusedByProvider'],
    ['Responder', 'AuthnFailed', 'cancelled'],
    ['Responder', 'RequestDenied', 'cancelled'],
    ['Success ', '', 'refusedByProvider'],
  ] as const) {
    t.equal(await outcome(responseXml(said(), '', { status, detail })), problem, `${status} ${detail}`);
    const withAssertion = signed.replace(
      partOf(signed, 'Status'),
      partOf(responseXml(said(), '', { status, detail }), 'Status'),
    );
    t.equal(await outcome(withAssertion), problem, 'an assertion beside an error does not count');
  }
});

t.test('the refusal has no text of the provider', async (t) => {
  const secret = 'call-555-now';
  for (const xml of [
    signed.replace('rsa-sha256', secret),
    signed.replaceAll(fixed.issuer, secret),
    signed.replace('<samlp:Status>', `<${secret}:x>`),
    responseXml(said(), '', { status: secret }),
    signed.replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${secret}`),
  ]) {
    const verified = await verify(xml);
    t.ok('problem' in verified);
    t.notMatch(JSON.stringify(verified), secret);
  }
});

t.test('the key of the signer is RSA', async (t) => {
  const signer = new SignedXml();
  t.notOk(
    Object.keys(signer.SignatureAlgorithms).some((name) => /hmac/i.test(name)),
    'the library knows no HMAC unless it is told to',
  );
});
