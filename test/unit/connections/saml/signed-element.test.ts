import { sign } from 'node:crypto';
import t from 'tap';
import { SignedXml } from 'xml-crypto';
import { ProviderFailure } from '#src/connections/provider/provider-failure.js';
import type { ExpectedResponse } from '#src/connections/saml/expected-response.js';
import { signedAssertion } from '#src/connections/saml/signed-assertion.js';
import { signedElement } from '#src/connections/saml/signed-element.js';
import { verifyResponse } from '#src/connections/saml/verify-response.js';
import { readXml, type XmlElement } from '#src/connections/saml/xml-tree.js';
import {
  assertionXml,
  encryptedXml,
  makeSamlKey,
  responseXml,
  type Said,
  type SamlKey,
  signElement,
  toBase64,
  usuallySaid,
} from '../../../support/saml/saml-documents.js';

/** What the verification of a signature itself must refuse, and what providers write that it must take. */

const now = new Date('2026-03-01T12:00:00Z');
const [provider, renewed, ours, attacker] = [makeSamlKey(), makeSamlKey(), makeSamlKey(), makeSamlKey()];
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
const rules = { allowsSha1: false, certificates: [provider.certificate] };
const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const enveloped = `${dsig}enveloped-signature`;

const said = (more: Partial<Said> = {}) => usuallySaid({ ...fixed, ...more });
const signing = { key: provider };
const plain = responseXml(said(), assertionXml(said()));
const signed = signElement(plain, 'Assertion', signing);
const signedOf = (more: Partial<Said>) =>
  signElement(responseXml(said(), assertionXml(said(more))), 'Assertion', signing);

/** The problem for which a response is refused, or the name of the person. */
async function outcome(xml: string, more: Partial<ExpectedResponse> = {}): Promise<string | undefined> {
  try {
    const verified = await verifyResponse({ ...expected, response: toBase64(xml), ...more });
    return verified.nameId?.value;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return error.problem;
  }
}

const partOf = (xml: string, name: string) =>
  new RegExp(`<(?:\\w+:)?${name}[ >].*?</(?:\\w+:)?${name}>`, 's').exec(xml)?.[0] ?? '';

/** Signs the `SignedInfo` of a response as it stands, as a provider does that writes odd ones. */
function signedAnew(xml: string, { privateKey }: SamlKey = provider): string {
  const canonical = partOf(xml, 'SignedInfo')
    .replace('<ds:SignedInfo>', `<ds:SignedInfo xmlns:ds="${dsig}">`)
    .replace(/<([\w:]+)([^<>]*?)\s*\/>/g, '<$1$2></$1>');
  const value = sign('sha256', Buffer.from(canonical), privateKey).toString('base64');
  return xml.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`);
}

/** Signs with more options than `signElement` has. */
function signFreely(
  xml: string,
  {
    name = 'Assertion',
    canonicalization = exclusive,
    ...reference
  }: {
    name?: string;
    canonicalization?: string;
    transforms?: string[];
    inclusiveNamespacesPrefixList?: string[];
    listOfInfo?: string[];
  },
): string {
  const {
    listOfInfo = [],
    transforms = [enveloped, exclusive],
    inclusiveNamespacesPrefixList = [],
  } = reference;
  const signer = new SignedXml({
    privateKey: provider.privateKey,
    publicCert: provider.certificate,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: canonicalization as never,
    inclusiveNamespacesPrefixList: listOfInfo,
  });
  const xpath = `//*[local-name(.)='${name}']`;
  const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256';
  signer.addReference({ xpath, digestAlgorithm, transforms, inclusiveNamespacesPrefixList });
  const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signer.computeSignature(xml, { prefix: 'ds', location });
  return signer.getSignedXml();
}

t.test('a provider may write its signature in several ways', async (t) => {
  t.equal(await outcome(signedAnew(signed)), 'anna', 'the test signs as the library does');
  t.equal(await outcome(signFreely(plain, {})), 'anna');
  t.equal(await outcome(signFreely(plain, { transforms: [enveloped] })), 'anna', 'inclusive by default');
  const info = { canonicalization: inclusive };
  t.equal(await outcome(signFreely(plain, info)), 'anna', 'SignedInfo inclusive');
  const declared = plain
    .replace('<samlp:Response ', '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:x" ')
    .replace('<saml:Subject>', '<saml:Subject xmlns:xsi="urn:xsi" xsi:type="xs:string">');
  const listed = { inclusiveNamespacesPrefixList: ['xs'] };
  const shadowed = declared.replace('<saml:Assertion ', '<saml:Assertion xmlns:xs="urn:nearer" xmlns="" ');
  for (const [how, options] of Object.entries({
    'no list': {},
    'a list': listed,
    'a list in SignedInfo': { listOfInfo: ['xs', 'samlp'] },
    'inclusive, with the namespaces of the response': { ...info, transforms: [enveloped] },
    'inclusive, with a list': { ...info, ...listed },
  })) {
    for (const document of [declared, shadowed]) {
      const xml = signFreely(document, options);
      t.equal(await outcome(xml), 'anna', how);
      const whole = signElement(xml, 'Response', signing);
      t.equal(await outcome(whole), 'anna', `${how}, and the response signed`);
    }
  }
  const moved = signFreely(declared, listed).replace(
    'xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    'xmlns:xs="urn:other"',
  );
  t.equal(await outcome(moved), 'signatureInvalid', 'a namespace that the signature covers');
  const wrapped = signed.replace(
    /(<ds:SignatureValue>)([^<]*)/,
    (_, tag, value: string) => `${tag}\n${value.replace(/.{64}/g, '$&\r\n')}\n`,
  );
  t.equal(await outcome(wrapped), 'anna', 'a signature with line breaks');
  const digest = signedAnew(signed.replace(/(<ds:DigestValue>)([^<]*)/, '$1\n$2\n'));
  t.equal(await outcome(digest), 'anna', 'a digest with line breaks');
});

t.test('texts of providers mean the same before and after', async (t) => {
  for (const name of [
    'anna &amp; &lt;co&gt;',
    '&#65;nna &quot;x&quot;',
    'tab\tand\nline',
    'a&#13;b&#10;c&#9;d',
    '\u{1F600} \u00e9 e\u0301 \u2028 \u0085 \u00a0',
    "it's",
  ]) {
    const xml = signedOf({ nameId: name, attributes: { 'a&b"\n': ['x\ty', '<&>"\''] } });
    t.match(await outcome(xml), /^[^I]+$/, encodeURI(name));
  }
  const spaced = plain
    .replace(/></g, '>\r\n  <')
    .replace('<saml:Subject>', '<saml:Subject xml:space="preserve">');
  t.equal(await outcome(signElement(spaced.replaceAll('\r\n', '\n'), 'Assertion', signing)), 'anna');
  const sent = signElement(spaced.replaceAll('\r\n', '\n'), 'Assertion', signing).replaceAll('\n', '\r\n');
  t.equal(await outcome(sent), 'anna', 'line breaks of another system (XML 1.0 section 2.11)');
  const quoted = signed
    .replace(/ ID="([^"]*)"/g, " ID = '$1'")
    .replace('<saml:Conditions ', '<saml:Conditions\n\t');
  t.equal(await outcome(quoted), 'anna', 'other quotes and spaces in tags');
  t.equal(
    await outcome(signed.replace('>anna<', '>&#x61;nna<')),
    'anna',
    'another spelling of the same letter',
  );
  const cased = signed.replace('Version="2.0"', 'Version="2&#46;0"');
  t.equal(await outcome(cased), 'anna', 'and in an attribute');
});

t.test('changes that a reader could overlook are changes', async (t) => {
  for (const [what, xml] of Object.entries({
    'a space between elements': signed.replace('<saml:Conditions', ' <saml:Conditions'),
    'a space in the name': signed.replace('>anna<', '>anna <'),
    'a carriage return': signedOf({ nameId: 'an\nna' }).replace('an\nna', 'an&#13;na'),
    'xml:space': signed.replace('<saml:Subject>', '<saml:Subject xml:space="preserve">'),
    'xml:lang': signed.replace('<saml:Subject>', '<saml:Subject xml:lang="en">'),
    'a used namespace': signed.replace('<saml:Subject>', '<saml:Subject xmlns:x="urn:x" x:y="z">'),
    'an entity in an attribute': signed.replace('Recipient="https:', 'Recipient="https&#x3B;'),
    'a line break in an attribute': signed.replace(' Format="', ' Format="\n'),
    'an element in another namespace': signed.replace('<saml:Subject>', '<saml:Subject xmlns:saml="urn:x">'),
    'a namespace with spaces': signed.replace('xmlns:saml="urn', 'xmlns:saml=" urn'),
    'an attribute': signed.replace('<saml:Subject>', '<saml:Subject x="y">'),
    'an attribute less': signed.replace(' Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"', ''),
  })) {
    t.match(await outcome(xml), /^(signatureInvalid|answerInvalid)$/, what);
  }
  const unused = signed.replace('<saml:Subject>', '<saml:Subject xmlns:unused="urn:x">');
  t.equal(await outcome(unused), 'anna', 'an unused namespace is none (Exclusive XML Canonicalization)');
});

t.test('comments and instructions stand nowhere, and nothing hides in values', async (t) => {
  const into = (tag: string, piece: string) =>
    signed.replace(new RegExp(`(<${tag}[^>]*>)([^<]{2})`), `$1$2${piece}`);
  for (const piece of ['<!-- -->', '<!---->', '<?x y?>', '<![CDATA[]]>']) {
    for (const tag of ['saml:NameID', 'ds:DigestValue', 'ds:SignatureValue', 'saml:Issuer', 'saml:Audience'])
      t.equal(await outcome(into(tag, piece)), 'answerInvalid', `${piece} in ${tag}`);
    t.equal(await outcome(signed.replace('<ds:Reference', `${piece}<ds:Reference`)), 'answerInvalid');
    t.equal(await outcome(`${signed}${piece}`), 'answerInvalid', `${piece} at the end`);
  }
  // CVE-2025-29775: one digest for the reader, another one for the verifier.
  const digest = /<ds:DigestValue>([^<]*)/.exec(signed)?.[1] ?? '';
  const evil = signed.replace('>anna<', '>boss<');
  for (const value of [`<x>${digest}</x>AAAA`, `AAAA<x>${digest}</x>`, `<x/>${digest}`, `${digest}<ds:x/>`]) {
    for (const xml of [signed, evil]) {
      t.equal(await outcome(xml.replace(digest, value)), 'signatureInvalid', value);
      const byProvider = signedAnew(xml.replace(digest, value));
      t.equal(await outcome(byProvider), 'signatureInvalid', 'also if the provider signed it');
    }
  }
  const inValue = signed.replace(/(<ds:SignatureValue>)([^<]*)/, '$1<x>$2</x>');
  t.equal(await outcome(inValue), 'signatureInvalid');
  for (const piece of ['!', '-', '\u00e9', '=']) {
    const junk = signed.replace('<ds:SignatureValue>', `<ds:SignatureValue>${piece}`);
    t.equal(await outcome(junk), 'signatureInvalid', 'what is no base64');
  }
});

t.test('a signature has one reference, whatever its prefix (CVE-2025-29774)', async (t) => {
  const reference = partOf(signed, 'Reference');
  const digest = /<ds:DigestValue>[^<]*<\/ds:DigestValue>/.exec(signed)?.[0] ?? '';
  const other = (xml: string, prefix: string, uri: string) =>
    xml.replaceAll('ds:', `${prefix}:`).replace(/^<(\S+?)(?=[ >])/, `<$1 xmlns:${prefix}="${uri}"`);
  for (const [what, more, from] of [
    ['of another prefix', other(reference, 'sig', dsig), reference],
    ['of another namespace', other(reference, 'sig', 'urn:x'), reference],
    ['without a namespace', reference.replaceAll('ds:', ''), reference],
    ['a digest of another prefix', other(digest, 'sig', dsig), digest],
    ['a digest of another namespace', other(digest, 'sig', 'urn:x'), digest],
  ] as const) {
    for (const pair of [from + more, more + from]) {
      const xml = signed.replace(from, pair);
      t.equal(await outcome(xml), 'signatureInvalid', what);
      t.equal(await outcome(signedAnew(xml)), 'signatureInvalid', `${what}, signed by the provider`);
    }
  }
  for (const from of [reference, digest]) {
    const alone = signedAnew(signed.replace(from, other(from, 'sig', 'urn:x')));
    t.equal(await outcome(alone), 'signatureInvalid', 'a part in another namespace');
  }
  const info = partOf(signed, 'SignedInfo');
  for (const uri of [dsig, 'urn:x']) {
    const xml = signed.replace(info, other(info, 'sig', uri) + info);
    t.equal(await outcome(xml), 'signatureInvalid', 'two SignedInfo');
  }
});

t.test('a provider that signs with comments, or something else than the element, is refused', async (t) => {
  for (const canonicalization of [`${exclusive}WithComments`, `${inclusive}#WithComments`]) {
    t.equal(await outcome(signFreely(plain, { canonicalization })), 'signatureInvalid');
    t.equal(
      await outcome(signFreely(plain, { transforms: [enveloped, canonicalization] })),
      'signatureInvalid',
    );
  }
  for (const transforms of [[enveloped, exclusive, exclusive], [exclusive, enveloped], [exclusive]])
    t.equal(await outcome(signFreely(plain, { transforms })), 'signatureInvalid', transforms.join(' '));
  const nameless = signFreely(plain.replace('ID="_response-1"', 'ID=""'), { name: 'Response' });
  t.match(nameless, 'URI="#"');
  t.equal(await outcome(nameless, { signed: 'response' }), 'signatureInvalid', 'an element without an ID');
  for (const [what, change] of Object.entries({
    'no reference': (xml: string) => xml.replace(partOf(xml, 'Reference'), ''),
    'another element': (xml: string) => xml.replace('URI="#_assertion-1"', 'URI="#_response-1"'),
    'the whole document': (xml: string) => xml.replace('URI="#_assertion-1"', 'URI=""'),
    'no URI': (xml: string) => xml.replace(' URI="#_assertion-1"', ''),
    'no transform': (xml: string) =>
      xml.replace(partOf(xml, 'Transforms'), '<ds:Transforms></ds:Transforms>'),
    'a wrong digest': (xml: string) => xml.replace(/(<ds:DigestValue>).{4}/, '$1AAAA'),
    'a digest of another length': (xml: string) => xml.replace(/(<ds:DigestValue>)[^<]*/, '$1AAAA'),
    'no digest': (xml: string) => xml.replace(/(<ds:DigestValue>)[^<]*/, '$1'),
    'SHA-1': (xml: string) => xml.replace('http://www.w3.org/2001/04/xmlenc#sha256', `${dsig}sha1`),
  })) {
    t.equal(await outcome(signedAnew(change(signed))), 'signatureInvalid', what);
  }
});

t.test('an identifier is the attribute ID alone', async (t) => {
  const renamed = (name: string) =>
    signFreely(plain.replace('ID="_assertion-1"', `${name}="_assertion-1"`), {});
  for (const name of ['Id', 'id', 'xml:id', 'saml:ID'])
    t.match(await outcome(renamed(name)), /^(signatureInvalid|answerInvalid)$/, name);
  for (const copy of [
    '<x:y xmlns:x="urn:x" x:ID="_assertion-1"/>',
    '<y xmlns="urn:x" ID="_assertion-1"/>',
    '<y iD="_assertion-1"/>',
    '<y xml:id="_assertion-1"/>',
  ]) {
    const xml = signed.replace(
      '<samlp:Status>',
      `<samlp:Extensions>${copy}</samlp:Extensions><samlp:Status>`,
    );
    t.equal(await outcome(xml), 'answerInvalid', copy);
  }
});

t.test('each signature that is there is of a key of the connection', async (t) => {
  const two = { certificates: [provider.certificate, renewed.certificate] };
  const odd = { certificates: ['no certificate', attacker.publicKey.slice(0, 90), provider.certificate] };
  t.equal(await outcome(signElement(plain, 'Assertion', { key: renewed }), two), 'anna', 'the second one');
  t.equal(await outcome(signed, odd), 'anna', 'one that cannot be read does not hide the others');
  t.equal(await outcome(signed, { certificates: [] }), 'signatureInvalid');
  for (const part of ['assertion', 'response'] as const) {
    const by = (response: SamlKey, assertion: SamlKey) =>
      outcome(
        signElement(signElement(plain, 'Assertion', { key: assertion }), 'Response', { key: response }),
        { ...two, signed: part },
      );
    t.equal(await by(provider, renewed), 'anna', 'one each');
    t.equal(await by(renewed, provider), 'anna');
    t.equal(await by(provider, attacker), 'signatureInvalid', `unknown inside, ${part} demanded`);
    t.equal(await by(attacker, provider), 'signatureInvalid', `unknown outside, ${part} demanded`);
  }
  const inside = async (key: SamlKey) => {
    const [assertion = ''] =
      /<saml:Assertion.*<\/saml:Assertion>/s.exec(signElement(plain, 'Assertion', { key })) ?? [];
    const encrypted = responseXml(said(), await encryptedXml(assertion, ours));
    return outcome(signElement(encrypted, 'Response', signing), { signed: 'response' });
  };
  t.equal(await inside(provider), 'anna');
  t.equal(await inside(attacker), 'signatureInvalid', 'unknown inside of what was encrypted');
  const foreign = responseXml(said(), await encryptedXml(assertionXml(said()), attacker));
  t.equal(
    await outcome(foreign, { signed: 'response' }),
    'signatureInvalid',
    'nothing unsigned is decrypted',
  );
  const forged = signElement(foreign, 'Response', { key: attacker });
  t.equal(await outcome(forged, { signed: 'response' }), 'signatureInvalid', 'nor what is signed wrongly');
  const moved = signed.replace(
    partOf(signed, 'Signature'),
    partOf(signedOf({ nameId: 'boss' }), 'Signature'),
  );
  t.equal(await outcome(moved), 'signatureInvalid', 'the signature of another assertion');
});

t.test('an assertion says when it was made, and when what bounds it ends', async (t) => {
  const detailOf = (change: (xml: string) => string) =>
    verifyResponse({
      ...expected,
      response: toBase64(signElement(change(plain), 'Assertion', signing)),
    }).then(
      () => 'taken',
      (error: unknown) =>
        error instanceof ProviderFailure ? `${error.problem}: ${error.message}` : String(error),
    );
  const lacks = 'assertionInvalid: The assertion lacks a time, or has one that is none';
  const cut = (part: string) => (xml: string) => {
    const after = xml.indexOf('<saml:Assertion');
    return xml.slice(0, after) + xml.slice(after).replace(new RegExp(part), '');
  };
  t.equal(await detailOf(cut(' IssueInstant="[^"]*"')), lacks);
  t.equal(await detailOf(cut('(?<=SubjectConfirmationData) NotOnOrAfter="[^"]*"')), lacks);
  t.equal(await detailOf(cut('(?<=Conditions NotBefore="[^"]*") NotOnOrAfter="[^"]*"')), lacks);
  const none = (xml: string) => xml.replace(/(<saml:Assertion.*? IssueInstant=")[^"]*/, '$1today');
  t.equal(await detailOf(none), lacks);
  t.equal(
    await detailOf(cut('(?<=<saml:Conditions) NotBefore="[^"]*" NotOnOrAfter="[^"]*"')),
    'taken',
    'conditions without any time bound nothing',
  );
});

/** A tree in which a parser saw other elements than those whose text is made canonical. */
const withContentOf = (seen: XmlElement, signedOne: XmlElement): XmlElement => ({
  ...seen,
  content: signedOne.content,
});
const assertionOf = (xml: string): XmlElement => {
  const found = readXml(xml).children.find(({ name }) => name === 'Assertion');
  if (found === undefined) throw new Error('no assertion');
  return found;
};
const childOf = (element: XmlElement, name: string): XmlElement => {
  const found = element.children.find((child) => child.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const nameIn = (assertion: XmlElement) => childOf(childOf(assertion, 'Subject'), 'NameID').text;
const problemOf = (element: XmlElement) => {
  try {
    signedElement(element, rules);
    return undefined;
  } catch (error) {
    return error instanceof ProviderFailure ? error.problem : error;
  }
};
const evil = signElement(plain.replace('>anna<', '>boss<'), 'Assertion', { key: attacker });

t.test('what is read is the text that was digested, whatever a parser saw', async (t) => {
  const [right, wrong] = [assertionOf(signed), assertionOf(evil)];
  const signature = childOf(right, 'Signature');
  const content = right.content.map((one) => (one === signature ? { ...signature } : one));
  const children = wrong.children.map((one) => (one.name === 'Signature' ? signature : one));
  const seen = { ...wrong, children, content: right.content };
  t.equal(nameIn(seen), 'boss');
  t.equal(nameIn(signedElement(seen, rules)), 'anna');
  t.equal(signedElement(right, rules).children.length, right.children.length - 1, 'without the signature');
  t.equal(problemOf({ ...right, content }), 'signatureInvalid', 'the signature of another tree');
  const odd = { ...right, content: ['', ...right.content] };
  t.equal(problemOf(odd), 'signatureInvalid', 'an error of the library');
});

t.test('what a signature says is read from the text that was signed', async (t) => {
  const [right, wrong] = [assertionOf(signed), assertionOf(evil)];
  const [rightSignature, wrongSignature] = [childOf(right, 'Signature'), childOf(wrong, 'Signature')];
  // A parser saw the digest of the attacker in the text that the provider signed.
  const info = withContentOf(childOf(wrongSignature, 'SignedInfo'), childOf(rightSignature, 'SignedInfo'));
  const signature = { ...rightSignature, children: [info, childOf(rightSignature, 'SignatureValue')] };
  const content = wrong.content.map((one) => (one === wrongSignature ? signature : one));
  const children = wrong.children.map((one) => (one === wrongSignature ? signature : one));
  t.equal(problemOf({ ...wrong, children, content }), 'signatureInvalid');
});

t.test('the algorithms that count are those that were signed', async (t) => {
  const weak = { key: provider, signatureAlgorithm: `${dsig}rsa-sha1` };
  const [right, other] = [assertionOf(signed), assertionOf(signElement(plain, 'Assertion', weak))];
  const signature = childOf(other, 'Signature');
  // A parser saw SHA-256 where the provider signed with SHA-1.
  const seen = childOf(childOf(right, 'Signature'), 'SignedInfo');
  const info = withContentOf(seen, childOf(signature, 'SignedInfo'));
  const shown = { ...signature, children: [info, childOf(signature, 'SignatureValue')] };
  const put = (one: string | XmlElement) => (one === signature ? shown : one);
  const element = { ...other, children: other.children.map((one) => put(one) as XmlElement) };
  t.equal(problemOf({ ...element, content: other.content.map(put) }), 'signatureInvalid');
});

t.test('what was signed is the element that was asked for', async (t) => {
  const right = assertionOf(signed);
  for (const other of [{ name: 'Statement' }, { namespace: 'urn:x' }]) {
    const [[key, value]] = Object.entries(other) as [[string, string]];
    let reads = 0;
    const shown = Object.defineProperty({ ...right }, key, {
      get: () => (reads++ === 0 ? right[key as 'name'] : value),
    });
    t.equal(problemOf(shown), 'signatureInvalid', key);
  }
  // The provider signed another identifier than the reference names, and a parser saw the one that it names.
  const renamed = signElement(plain.replace('_assertion-1', '_other'), 'Assertion', signing);
  const odd = assertionOf(signedAnew(renamed.replace('URI="#_other"', 'URI="#_assertion-1"')));
  let reads = 0;
  const shown = Object.defineProperty({ ...odd }, 'attributes', {
    get: () => (reads++ === 0 ? right.attributes : odd.attributes),
  });
  t.equal(problemOf(shown), 'signatureInvalid', 'ID');
});

t.test('a signed response is read as it was signed', async (t) => {
  const whole = { ...rules, signed: 'response', privateKey: ours.privateKey } as const;
  const root = readXml(signElement(plain, 'Response', signing));
  t.equal(nameIn(await signedAssertion(root, whole)), 'anna');
  const bare = assertionOf(plain.replace('>anna<', '>boss<'));
  const replaced = root.children.map((one) => (one.name === 'Assertion' ? bare : one));
  t.equal(nameIn(await signedAssertion({ ...root, children: replaced }, whole)), 'anna');
  const two = responseXml(said(), assertionXml(said()) + assertionXml(said({ id: '_2', nameId: 'boss' })));
  const both = readXml(signElement(two, 'Response', signing));
  const one = { ...both, children: both.children.filter((child) => attributeOf(child, 'ID') !== '_2') };
  const refused = await signedAssertion(one, whole).catch((error: ProviderFailure) => error.problem);
  t.equal(refused, 'answerInvalid', 'two assertions were signed');
  const encrypt = async (nameId: string) =>
    responseXml(said(), await encryptedXml(assertionXml(said({ nameId })), ours));
  const hidden = readXml(signElement(await encrypt('anna'), 'Response', signing));
  const evilHidden = childOf(readXml(await encrypt('boss')), 'EncryptedAssertion');
  const children = hidden.children.map((one) => (one.name === 'EncryptedAssertion' ? evilHidden : one));
  t.equal(nameIn(await signedAssertion({ ...hidden, children }, whole)), 'anna', 'what was encrypted too');
});

const attributeOf = ({ attributes }: XmlElement, name: string) =>
  attributes.find((one) => one.name === name)?.value;
