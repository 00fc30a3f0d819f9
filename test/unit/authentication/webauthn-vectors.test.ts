import { createHash, hkdfSync } from 'node:crypto';
import t from 'tap';
import { readAssertion, readRegistration } from '#src/authentication/passkeys/read-passkey-response.js';
import { verifyAssertion, verifyRegistration } from '#src/authentication/passkeys/verify-ceremony.js';

// The test vectors of WebAuthn Level 3 section 16. Bytes are in hexadecimal, as the specification prints them, and client data as their text.

/** A ceremony that makes a credential, and one that uses it. */
interface Vector {
  /** What its random bytes are derived from. */
  readonly info: string;
  readonly id: string;
  /** The salt of the derivation of `id`, if it is not 5. */
  readonly idSalt?: number;
  readonly aaguid: string;
  readonly created: { readonly client: string; readonly attestationObject: string };
  readonly used: { readonly client: string; readonly authenticatorData: string; readonly signature: string };
}

const party = { id: 'example.org', origin: 'https://example.org' };
const rpIdHash = createHash('sha256').update(party.id).digest('hex');

const clientData = (type: 'create' | 'get', challenge: string, rest: string) =>
  `{"type":"webauthn.${type}","challenge":"${challenge}","origin":"https://example.org",${rest}}`;
const extended = (value: string) =>
  `"extraData":"clientDataJSON may be extended with additional fields in the future, such as this: ${value}"`;
const here = '"crossOrigin":false';
const framed = '"crossOrigin":true';
const none = 'a363666d74646e6f6e656761747453746d74a068617574684461746158a4';

/** The product of the two smallest Mersenne primes of at least 1,024 bits: the modulus of section 16.10. */
const mersenne = (exponent: bigint) => 2n ** exponent - 1n;
const modulus = (mersenne(1_279n) * mersenne(2_203n)).toString(16).padStart(872, '0');

/** Sections 16.2, 16.3, 16.7, 16.10 and 16.11. */
const vectors: Readonly<Record<string, Vector>> = {
  'ES256 without attestation': {
    info: 'none.ES256',
    id: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
    aaguid: '8446ccb9-ab1d-b374-750b-2367ff6f3a1f',
    created: {
      client: clientData(
        'create',
        'AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA',
        `${here},${extended('BkQeDjdcTBrXBiAwJTLE5Q')}`,
      ),
      attestationObject: `${none}${rpIdHash}59000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220`,
    },
    used: {
      client: clientData('get', 'OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag', here),
      authenticatorData: `${rpIdHash}1900000000`,
      signature:
        '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
    },
  },
  'ES256 with attestation by itself': {
    info: 'packed-self.ES256',
    id: '455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c',
    aaguid: 'df850e09-db6a-fbdf-ab51-697791506cfc',
    created: {
      client: clientData(
        'create',
        'eGnCt3LUtY66k3jPjynibPk1qnffDaifqZwL3Ap29-U',
        `${here},${extended('U9hTXvKE2URkMnb_0xYHVg')}`,
      ),
      attestationObject: `a363666d74667061636b65646761747453746d74a263616c672663736967584630440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da98302207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d68617574684461746158a4${rpIdHash}5d00000000df850e09db6afbdfab51697791506cfc0020455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58ca5010203262001215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2`,
    },
    used: {
      client: clientData(
        'get',
        'RHihCxNSNI3RYME1Ow1Gm12xnrkcJ_ffpv7Tn-Jq8gs',
        `${here},${extended('gTb53rz6EhSWomXGzimC1Q')}`,
      ),
      authenticatorData: `${rpIdHash}0900000000`,
      signature:
        '304402203310b9431903c401f1be2bdc8d23a4007682dbbddcf846994947b7f465daf84002204e94dd00047b316061b3b99772b7efd95994a83ef584b3b6b825ea3550251b66',
    },
  },
  'ES256 with a certificate': {
    info: 'packed.ES256',
    id: 'c9a6f5b3462d02873fea0c56862234f99f081728084e511bb7760201a89054a5',
    aaguid: '876ca4f5-2071-c3e9-b255-09ef2cdf7ed6',
    created: {
      client: clientData(
        'create',
        'wRhKX934BF4T3Ef1S2H1pla2ZrWQGPFthw6SVumVIBI',
        `${here},${extended('9a8bNYjKCgWrBXU-fCl1ag')}`,
      ),
      attestationObject: `a363666d74667061636b65646761747453746d74a363616c6726637369675847304502203f19ec4b229f46ab8c45eff29b904ff10c0390dc40bf1216f04a78f4ceba3425022100fe7041a32759aff05a0f9f26c70a999c7a284451ba89234a1d3483c25e21925b637835638159022530820221308201c8a00302010202110088c220f83c8ef1feafe94deae45faad0300a06082a8648ce3d0403023062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b30090603550406130241413020170d3234303130313030303030305a180f33303234303130313030303030305a305f311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331223020060355040b0c1941757468656e74696361746f72204174746573746174696f6e310b30090603550406130241413059301306072a8648ce3d020106082a8648ce3d03010703420004a91ba4389409dd38a428141940ca8feb1ac0d7b4350558104a3777a49322f3798440f378b3398ab2d3bb7bf91322c92eb23556f59ad0a836fec4c7663b0e4dc3a360305e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780301d0603551d0e04160414a589ba72d060842ab11f74fb246bdedab16f9b9b301f0603551d2304183016801445aff715b0dd786741fee996ebc16547a3931b1e300a06082a8648ce3d040302034700304402201726b9d85ecd8a5ed51163722ca3a20886fd9b242a0aa0453d442116075defd502207ef471e530ac87961a88a7f0d0c17b091ffc6b9238d30f79f635b417be5910e768617574684461746158a4${rpIdHash}4d00000000876ca4f52071c3e9b25509ef2cdf7ed60020c9a6f5b3462d02873fea0c56862234f99f081728084e511bb7760201a89054a5a50102032620012158201cf27f25da591208a4239c2e324f104f585525479a29edeedd830f48e77aeae522582059e4b7da6c0106e206ce390c93ab98a15a5ec3887e57f0cc2bece803b920c423`,
    },
    used: {
      client: clientData(
        'get',
        'sRBvpGpXvvF4FRHAVX3ImKA0E9Xw8X0kRjDBlMfhrbU',
        `${here},${extended('AZMwyMxIbD8-uguFNp6r8Q')}`,
      ),
      authenticatorData: `${rpIdHash}0d00000000`,
      signature:
        '30450220694969d3ee928de6f02ef23a9c644d7d779916451734a94b432542f498a1ebe90221008b0819c824218a97152cd099c55bfb1477b29d900a49a64018314f9bfccda163',
    },
  },
  RS256: {
    info: 'packed.RS256',
    id: '992a18acc83f67533600c1138a4b4c4bd236de13629cf025ed17cb00b00b74df',
    idSalt: 3,
    aaguid: '428f8878-298b-9862-a36a-d8c7527bfef2',
    created: {
      client: clientData('create', 'vqjwdwAJvVfywN9v6p90Oifkthu-kjyGLHqtep_I5KY', here),
      attestationObject: `a363666d74667061636b65646761747453746d74a363616c672663736967584730450221008b8c5c6ea8c142c032e0be69e1353d44461c5c9109941cdda951b976eb95b6b302204d52f406c19e254b3ff9589bd18070fb055ac8db12fdd0a6734bea9d7168e900637835638159022630820222308201c7a00302010202101f6fb7a5ece81b45896b983a995da5f3300a06082a8648ce3d0403023062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b30090603550406130241413020170d3234303130313030303030305a180f33303234303130313030303030305a305f311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331223020060355040b0c1941757468656e74696361746f72204174746573746174696f6e310b30090603550406130241413059301306072a8648ce3d020106082a8648ce3d03010703420004b7b36b7542a11120b443c794d0c99fdc25a06b76586413d81e086163ef6fe147a557afc34e2861d9057d6d465d4705a0310550bdeeb5f35ee35b9425ab859981a360305e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780301d0603551d0e04160414fb37b647bccfb9e54d989eaaacc1633868703fb3301f0603551d2304183016801445aff715b0dd786741fee996ebc16547a3931b1e300a06082a8648ce3d0403020349003046022100b86bc129d92afca7d9869a39f70f139a305b4073a39eb654d81424bed5757d91022100cf9f7c60cab7c4a7d3e7f0020f281a93d4fd0a9f95121b989f56932a68885fba68617574684461746159021b${rpIdHash}5d00000000428f8878298b9862a36ad8c7527bfef20020992a18acc83f67533600c1138a4b4c4bd236de13629cf025ed17cb00b00b74dfa4010303390100205901b4${modulus}2143010001`,
    },
    used: {
      client: clientData('get', 'KV9Z9fqP5ixayp4nYmx4yNo3aubYzS3SmuutYB4bxMU', here),
      authenticatorData: `${rpIdHash}1900000000`,
      signature:
        '01063d52d7c39b4d432fc7063c5d93e582bdcb16889cd71f888d67d880ea730a428498d3bc8e1ee11f2b1ecbe6c292b118c55ffaaddefa8cad0a54dd137c51f1eec673f1bb6c4d1789d6826a222b22d0f585fc901fdc933212e579d199b89d672aa44891333e6a1355536025e82b25590256c3538229b55737083b2f6b9377e49e2472f11952f79fdd0da180b5ffd901b4049a8f081bb40711bef76c62aed943571f2d0575304cb549d68d8892f95086a30f93716aee818f8dc06e96c0d5e0ed4cfa9fd8773d90464b68cf140f7986666ff9c9e3302acd0535d60d769f465e2ab57ef8aabc89fccfef7ba32a64154a8b3d26be2298f470b8cc5377dbe3dfd4b0b45f8f01e63bde6cfc76b62771f9b70aa27cf40152cad93aa5acd784fd4b90f676e2ea828d0bf2400aebbaae4153e5838f537f88b6228346782a93a899be66ec77de45b3efcf311da6321c92e6b0cd11bfe653bf3e98cee8e341f02d67dbb6f9c98d9e8178090cfb5b70fbc6d541599ac794ae2f1d4de1286ec8de8c2daf7b1d15c8438e90d924df5c19045220a4c8438c1b979bbe016cf3d0eeec23c3999d4882cc645b776de930756612cdc6dd398160ff02a6',
    },
  },
  Ed25519: {
    info: 'packed.EdDSA',
    id: 'ce9f840ed96599580cd140fbc7bb3230633f50f61041aff73308ae71caa8a2bd',
    aaguid: 'd5aa3358-1e8c-a478-e20f-e713f5d32ff2',
    created: {
      client: clientData(
        'create',
        'qKv52r3GsN9jRms5vanoo0o04YUzelnxxXmZBnbTs70',
        `${here},${extended('B_DT5g7ZD_-9OTLYX5IvEQ')}`,
      ),
      attestationObject: `a363666d74667061636b65646761747453746d74a363616c67266373696758483046022100d83f60bd80269537583218858aefb03ac57d45fa06e42feaae332d187f62da9f022100a02bd3cb6f7e1d283c93bad1f3f4b5a4c0494463da7fdbf256949116754d1f17637835638159022730820223308201c8a003020102021100b2cfc9ea33c8643b0e1a760463eaf164300a06082a8648ce3d0403023062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b30090603550406130241413020170d3234303130313030303030305a180f33303234303130313030303030305a305f311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331223020060355040b0c1941757468656e74696361746f72204174746573746174696f6e310b30090603550406130241413059301306072a8648ce3d020106082a8648ce3d03010703420004dd2b7a564b73b8c0b81c4c62e521925c4d1198ec9f583dbf1eebe364b65cd9c29a9bdf346aaa81fb6b9507e5249a52fdaf8e39e26b0b7dc45992a7e233b70f70a360305e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780301d0603551d0e041604140ae27546bc7eccb1b4b597bd354f0c0b1f1f8f8e301f0603551d2304183016801445aff715b0dd786741fee996ebc16547a3931b1e300a06082a8648ce3d0403020349003046022100a0d434ecb5fc3bfd7da5f41904517ad2836249f561bd834ba7a438a8ab7a4ce8022100fac845bb7a02513b58e9f319654dbe49b0f02b95835bac568c71f8a18cdde9ab6861757468446174615881${rpIdHash}4100000000d5aa33581e8ca478e20fe713f5d32ff20020ce9f840ed96599580cd140fbc7bb3230633f50f61041aff73308ae71caa8a2bda401010327200621582044e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832`,
    },
    used: {
      client: clientData('get', 'iVlX4BxjOmmDSKLYoxpUt9sn6MHEOyCA15riGQJnv9I', here),
      authenticatorData: `${rpIdHash}0100000000`,
      signature:
        'f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b',
    },
  },
};

/** Section 16.4. The page is in a frame of another origin. */
const inFrame: Vector = {
  info: 'none.ES256.crossOrigin',
  id: '6e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57',
  aaguid: '883f4f60-14f1-9c09-d87a-a38123be48d0',
  created: {
    client: clientData(
      'create',
      'O-WqzQNTcUJHI0CrWWnyQPHYdxbiC2gHrCMGVfpLO0k',
      `${framed},${extended('zZquEtDR9DWqpW5tBWTFug')}`,
    ),
    attestationObject: `${none}${rpIdHash}4500000000883f4f6014f19c09d87aa38123be48d000206e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57a501020326200121582022200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d225820cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e`,
  },
  used: {
    client: clientData(
      'get',
      'h2qlF7qD_e5l_P_bykyE7q5dVPgEGh_IXJkeW7snMTc',
      `${framed},${extended('92pcTVD0Aby-q4dtmj6efg')}`,
    ),
    authenticatorData: `${rpIdHash}0500000000`,
    signature:
      '3046022100eb12fcf23b12764c0f122e22371fab92e283879fd798f38ee1841c951b6e40e7022100c76237ff9db77b3c56f30837cda6a09acfa2e915544e609c0733b1184036d1cf',
  },
};

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
const fromText = (text: string) => Buffer.from(text).toString('base64url');

/** What a browser sends for a vector. */
function registrationOf({ id, created: { client, attestationObject } }: Vector) {
  const read = readRegistration(
    JSON.stringify({
      ...{ id: fromHex(id), rawId: fromHex(id), type: 'public-key' },
      response: { clientDataJSON: fromText(client), attestationObject: fromHex(attestationObject) },
    }),
  );
  if (read === undefined) throw new Error('The registration was not read');
  return read;
}

function assertionOf({ id, used: { client, authenticatorData, signature } }: Vector) {
  const read = readAssertion(
    JSON.stringify({
      ...{ id: fromHex(id), rawId: fromHex(id), type: 'public-key' },
      response: {
        clientDataJSON: fromText(client),
        authenticatorData: fromHex(authenticatorData),
        signature: fromHex(signature),
      },
    }),
  );
  if (read === undefined) throw new Error('The assertion was not read');
  return read;
}

t.test('the bytes are those of the specification', async (t) => {
  // Section 16: all random values are derived from one text, so a typing error would differ.
  const derived = (salt: number, info: string) =>
    Buffer.from(hkdfSync('sha256', 'WebAuthn test vectors', Buffer.from([salt]), info, 32)).toString(
      'base64url',
    );
  for (const vector of [...Object.values(vectors), inFrame]) {
    const { info, id, idSalt = 5, created } = vector;
    t.match(created.client, `"challenge":"${derived(0, info)}"`, info);
    t.equal(fromHex(id), derived(idSalt, info), info);
  }
});

t.test('each vector makes a credential, which then signs in', async (t) => {
  for (const [name, vector] of Object.entries(vectors)) {
    const made = await verifyRegistration(registrationOf(vector), party);
    t.match(made, { id: fromHex(vector.id), aaguid: vector.aaguid, counter: 0 }, name);
    if (made === undefined) continue;
    const used = await verifyAssertion(assertionOf(vector), made, party);
    const flags = Number.parseInt(vector.used.authenticatorData.slice(64, 66), 16);
    t.same(
      used,
      {
        counter: 0,
        userVerified: (flags & 4) !== 0,
        backupEligible: (flags & 8) !== 0,
        backedUp: (flags & 16) !== 0,
      },
      name,
    );
  }
});

t.test('a credential of one vector does not verify the signature of another', async (t) => {
  const all = Object.values(vectors);
  for (const [index, vector] of all.entries()) {
    const other = await verifyRegistration(registrationOf(all[(index + 1) % all.length] as Vector), party);
    t.equal(other && (await verifyAssertion(assertionOf(vector), other, party)), undefined);
  }
});

t.test('a vector for another relying party is refused', async (t) => {
  for (const another of [
    { ...party, id: 'example.com' },
    { ...party, origin: 'https://example.com' },
  ])
    for (const vector of Object.values(vectors)) {
      const made = await verifyRegistration(registrationOf(vector), party);
      t.equal(await verifyRegistration(registrationOf(vector), another), undefined);
      t.equal(made && (await verifyAssertion(assertionOf(vector), made, another)), undefined);
    }
});

t.test('pages of this service stand in no frame of another origin', async (t) => {
  t.throws(() => registrationOf(inFrame), /not read/);
  t.throws(() => assertionOf(inFrame), /not read/);
  const client = inFrame.created.client.replace(framed, here);
  const plain = { ...inFrame, created: { ...inFrame.created, client } };
  t.ok(await verifyRegistration(registrationOf(plain), party), 'the rest of it is valid');
});
