import type { HashExample } from './hash-example.js';

const libxcrypt = 'made by libxcrypt 4.4 of Debian 12: perl -e \'print crypt("test", SETTING)\'';
const testsOk = 'openwall/yescrypt, TESTS-OK';
const dovecot = 'dovecot/core, src/auth/test-libpassword.c';
const nextcloud = 'nextcloud/server, tests/lib/Security/HasherTest.php';
const spring = 'docs.spring.io, Spring Security, DelegatingPasswordEncoder';
const passlib = 'passlib 1.7.4, tests/test_handlers*.py';
const passwap = 'github.com/zitadel/passwap, its tests';
const werkzeug = 'made by Werkzeug 3.1.9, generate_password_hash';
const earlierWerkzeug = 'made by Werkzeug 2.2.3, generate_password_hash';
const springCrypto = 'made by spring-security-crypto 6.3.4';
const nodeArgon2 = "made by Node's package argon2 0.44";
const ownCalculation = "calculated with Python's hashlib and bcrypt";

/** The pepper of the examples that need one. */
export const examplePepper = 'a1b2c3d4pepper';
/** Stands for it as the key of an HMAC. */
const pepperWord = '{PEPPER}';
/** The `passwordsalt` of Nextcloud's tests. */
const nextcloudPepper = '6Wow67q1wZQZpUUeI6G2LsWUu4XKx';

/** Hashes that systems write in a form of their own. */
export const examplesOfSystems: readonly HashExample[] = [
  // WordPress
  {
    source: `${ownCalculation}: wp_hash_password of WordPress 6.8`,
    password: 'lètmein',
    hash: '$wp$2y$05$MAXysZKV0LXi1b/bUy.D7eaTTL3FPATxiikZXI9hsVQ3fqpZGWIFa',
  },
  // Magento and Adobe Commerce
  {
    source: "calculated with Node's package argon2, as magento/magento2, Encryptor::getArgonHash does",
    password: 'Roni_cost3@example',
    hash: 'bb791de32673d2c88a5e91a45795bd576f478f10aefb596090137ba38b5ffcf0:mfGqLbVvWD9iFxJ8aKcQeT4yUzR2hN7p:3_32_2_67108864',
    stored:
      '$argon2id$v=19$m=65536,t=2,p=1$bWZHcUxiVnZXRDlpRnhKOA$u3kd4yZz0siKXpGkV5W9V29HjxCu+1lgkBN7o4tf/PA',
  },
  {
    source: 'the same, in the form of version 2',
    password: 'Roni_cost3@example',
    hash: 'bb791de32673d2c88a5e91a45795bd576f478f10aefb596090137ba38b5ffcf0:mfGqLbVvWD9iFxJ8aKcQeT4yUzR2hN7p:2',
    isBare: true,
    stored:
      '$argon2id$v=19$m=65536,t=2,p=1$bWZHcUxiVnZXRDlpRnhKOA$u3kd4yZz0siKXpGkV5W9V29HjxCu+1lgkBN7o4tf/PA',
  },
  // Node's package @phc/pbkdf2
  {
    source: 'github.com/simonepri/phc-pbkdf2, readme.md',
    password: 'password',
    hash: '$pbkdf2-sha512$i=10000$O484sW7giRw+nt5WVnp15w$jEUMVZ9adB+63ko/8Dr9oB1jWdndpVVQ65xRlT+tA1GTKcJ7BWlTjdaiILzZAhIPEtgTImKvbgnu8TS/ZrjKgA',
    stored:
      '$pbkdf2-sha512$i=10000,l=64$O484sW7giRw+nt5WVnp15w$jEUMVZ9adB+63ko/8Dr9oB1jWdndpVVQ65xRlT+tA1GTKcJ7BWlTjdaiILzZAhIPEtgTImKvbgnu8TS/ZrjKgA',
  },
  // The Ruby gem scrypt, of Authlogic
  {
    source: 'github.com/pbhogan/scrypt, README of version 2',
    password: 'my grand secret',
    hash: '400$8$36$78f4ae6983f76119$37ec6ce55a2b928dc56ff9a7d0cdafbd7dbde49d9282c38a40b1434e88f24cf5',
    stored: '$scrypt$ln=10,r=8,p=54$ePSuaYP3YRk$N+xs5Vorko3Fb/mn0M2vvX295J2SgsOKQLFDTojyTPU',
  },
  // 389 Directory Server and FreeIPA
  {
    source: 'freeipa/freeipa, ipatests/create_external_data: "encrypted value of \'password\'"',
    password: 'password',
    hash: '{PBKDF2_SHA256}AAAIAG+ooTntmgayOuMZRJuCMFVykCVWcVF3tw8YTlvFp9KF9UnFYhgpz8fC03o4Jv5KD4rQ4GsdXHIRlg/doyd1xOVFDYUZYAPHjnSpm9XnzIcaS4ZCV/JeLqueyeZQWKOlCH+k9BCmO2HZC7AKXWGMG5bJ8GLALceyf0xioP447wehg8caWYY7f2VYBz6k233DUkgV5NqswzuEwtLdDDFjpro0Ac15ok6fS0vqjDfiMs0ai5FCbivEKw4j6ZyuXHCpck6gcH8lh33rs779ZaLAgtIeeW+xdea3BDCQXhuHwCqIxxifLn2gQy/lLxlikXb82gk2ClADhwoG5RIdJ3ABrPDB100yw6QJ7NF14vV7DDzqxqylocWD/l1xw8HIYdkCpRG8PyfLz8TOR+Mgq0uB/mddrSkU6Hsmg9MkGpST69av',
    stored:
      '$pbkdf2-sha256$i=2048,l=256$b6ihOe2aBrI64xlEm4IwVXKQJVZxUXe3DxhOW8Wn0oX1ScViGCnPx8LTejgm/koPitDgax1cchGWD92jJ3XE5Q$RQ2FGWADx450qZvV58yHGkuGQlfyXi6rnsnmUFijpQh/pPQQpjth2QuwCl1hjBuWyfBiwC3Hsn9MYqD+OO8HoYPHGlmGO39lWAc+pNt9w1JIFeTarMM7hMLS3QwxY6a6NAHNeaJOn0tL6ow34jLNGouRQm4rxCsOI+mcrlxwqXJOoHB/JYd967O+/WWiwILSHnlvsXXmtwQwkF4bh8AqiMcYny59oEMv5S8ZYpF2/NoJNgpQA4cKBuUSHSdwAazwwddNMsOkCezRdeL1eww86saspaHFg/5dccPByGHZAqURvD8ny8/EzkfjIKtLgf5nXa0pFOh7JoPTJBqUk+vWrw',
  },
  // yescrypt
  {
    source: libxcrypt,
    password: 'test',
    hash: '$y$j75$abcdefgh$0D0FAkY7TwqVv2j/JPzxTRIUuKA8VLsAgVDBYQHBU16',
  },
  {
    source: `${libxcrypt}: the cost that Debian and Ubuntu use`,
    password: 'test',
    hash: '$y$j9T$abcdefgh$4aYJlpUYBQ/CwvNaNZWyJ8iEiOSOhXhXiF4pD9oU0p6',
  },
  {
    source: `${libxcrypt}: three lanes and more time`,
    password: 'test',
    hash: '$y$j7D//$abcdefgh$bwmf3QaYh/7KrWHhQqH2/5uwzgmGTYnErteE3eZ91qA',
  },
  {
    source: `${libxcrypt}: the smallest cost`,
    password: 'test',
    hash: '$y$j/.$abcdefgh$l0m4o0lUlWSPr0IjTCapHRFWred76x.iiQ3D9alq.b6',
  },
  {
    source: `${libxcrypt}: YESCRYPT_WORM`,
    password: 'test',
    hash: '$y$/8/$abcdefgh$iI2Sa9Y1WQLUoOLugfYN.9guMdNGSx.MieFOuTv1JI6',
  },
  {
    source: `${libxcrypt}: scrypt in the form of yescrypt`,
    password: 'test',
    hash: '$y$.8/$abcdefgh$CO6RnbK/DoqiDG57bKJfrWfjFQLL.j.mqC944t75Fx6',
  },
  {
    source: `${testsOk}: 64 MiB and 11 lanes`,
    password: 'pleaseletmein',
    hash: '$y$jD5.7$LdJMENpBABJJ3hIHjB1Bi.$HboGM6qPrsK.StKYGt6KErmUYtioHreJd98oIugoNB6',
  },
  {
    source: `${libxcrypt}, as LDAP writes it`,
    password: 'test',
    hash: '{CRYPT}$y$j65$.......$cyZAQnKbHoazgfZPiBuFNybQfDAky8YPN5PK6kZ6ha5',
    stored: '$y$j65$.......$cyZAQnKbHoazgfZPiBuFNybQfDAky8YPN5PK6kZ6ha5',
  },
  {
    source: libxcrypt,
    password: 'test',
    hash: '$7$CU..../....SodiumChloride$FD4IqT0mbCIqFotbBKPpG.NuL5HYNRPz3g27DRyJ3fB',
  },
  // MediaWiki
  {
    source: 'wikimedia/mediawiki, tests/phpunit/includes/password/Pbkdf2PasswordTest.php',
    password: 'password',
    hash: ':pbkdf2:sha1:4096:20:c2FsdA==:SwB5AbdlSJq+rUnZJvch0GWkKcE=',
    stored: '$pbkdf2-sha1$i=4096,l=20$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE',
  },
  {
    source: 'wikimedia/mediawiki, tests/phpunit/includes/password/Argon2PasswordTest.php',
    password: 'password',
    hash: ':argon2:$argon2i$v=19$m=1024,t=2,p=2$RHpGTXJPeFlSV2NDTEswNA$VeW7rumZY4pL8XO4KeQkKD43r5uX3eazVJRtrFN7lNc',
    stored: '$argon2i$v=19$m=1024,t=2,p=2$RHpGTXJPeFlSV2NDTEswNA$VeW7rumZY4pL8XO4KeQkKD43r5uX3eazVJRtrFN7lNc',
  },
  {
    source: 'wikimedia/mediawiki, tests/phpunit/includes/password/BcryptPasswordTest.php',
    password: 'U*U',
    hash: ':bcrypt:5$CCCCCCCCCCCCCCCCCCCCC.$E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    stored: '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  },
  {
    source: 'wikimedia/mediawiki, tests/phpunit/includes/password/MWSaltedPasswordTest.php',
    password: 'password',
    hash: ':B:salt:9842afc7cb949c440c51347ed809362f',
  },
  {
    source: 'wikimedia/mediawiki, tests/phpunit/includes/password/MWOldPasswordTest.php',
    password: 'password',
    hash: ':A:5f4dcc3b5aa765d61d8327deb882cf99',
    stored: '$md5$X03MO1qnZdYdgyfeuILPmQ',
  },
  {
    source:
      'wikimedia/mediawiki, tests/phpunit/includes/password/MWOldPasswordTest.php: the second form under the first name',
    password: 'password',
    hash: ':A:salt:9842afc7cb949c440c51347ed809362f',
    stored: ':B:salt:9842afc7cb949c440c51347ed809362f',
  },
  // Supabase
  {
    source: 'supabase/auth, internal/crypto/password_test.go',
    password: 'mytestpassword',
    hash: '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==',
    stored:
      '$firescrypt$ln=14,r=8,p=1$C0sHCg9ek77hsg$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw$Bw$ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw',
  },
  // Clerk
  {
    source: `${ownCalculation}: pbkdf2_sha256 of clerk.com/docs, Create a user, password_hasher`,
    password: 'lètmein',
    hash: 'pbkdf2_sha256$1000$xA3HKwIo5YUNixc/+GGkig==$sBlrix6xutpOvLv5TVlse1enVQJDW+aUll4S0n/Obag=',
    stored: '$pbkdf2-sha256$i=1000,l=32$xA3HKwIo5YUNixc/+GGkig$sBlrix6xutpOvLv5TVlse1enVQJDW+aUll4S0n/Obag',
  },
  {
    source: `${ownCalculation}: pbkdf2_sha1 of the same page`,
    password: 'lètmein',
    hash: 'pbkdf2_sha1$1000$saltsaltsalt$0111c11b0230dbc2fd5ed2138304de67f472d39b',
    stored: '$pbkdf2-sha1$i=1000,l=20$c2FsdHNhbHRzYWx0$ARHBGwIw28L9XtITgwTeZ/Ry05s',
  },
  {
    source: `${ownCalculation}: pbkdf2_sha1 of Clerk, with a salt in hexadecimal and the length of the key`,
    password: 'lètmein',
    hash: 'pbkdf2_sha1$1000$c40dc72b0228e5850d8b173ff8618682$a6ba99315d434562a0c650bde23f39cfeffa6411650c9e07dc3d05b6708b8d4c$32',
    stored: '$pbkdf2-sha1$i=1000,l=32$xA3HKwIo5YUNixc/+GGGgg$prqZMV1DRWKgxlC94j85z+/6ZBFlDJ4H3D0FtnCLjUw',
  },
  {
    source: `${ownCalculation}: pbkdf2_sha512 of Clerk, with a salt that is text`,
    password: 'lètmein',
    hash: 'pbkdf2_sha512$1000$salt+salt/salt=$8c051e0ff77ad0aa98f082bd20020b1b6961ece66102a45423728c82c3dddc20ad45f48a9e96dddf7b29e84155409b3f35403e8417e7cea4064d3230082e31bd',
    stored:
      '$pbkdf2-sha512$i=1000,l=64$c2FsdCtzYWx0L3NhbHQ9$jAUeD/d60KqY8IK9IAILG2lh7OZhAqRUI3KMgsPd3CCtRfSKnpbd33sp6EFVQJs/NUA+hBfnzqQGTTIwCC4xvQ',
  },
  {
    source: `${ownCalculation}: pbkdf2_sha512_hex of Clerk`,
    password: 'lètmein',
    hash: 'pbkdf2_sha512_hex$1000$c40dc72b0228e5850d8b173ff8618682$025fd1e131e205e34fddb0c2c98ac7a00654f169db906a8505acb2d11124c8e0cfcd84d718683a7aff1f6fabaa33756ce6987be8211e32ae37911a7b630e7a1c',
    stored:
      '$pbkdf2-sha512$i=1000,l=64$xA3HKwIo5YUNixc/+GGGgg$Al/R4THiBeNP3bDCyYrHoAZU8WnbkGqFBayy0REkyODPzYTXGGg6ev8fb6uqM3Vs5ph76CEeMq43kRp7Yw56HA',
  },
  {
    source: 'github.com/firebase/scrypt, README.md, in the form scrypt_firebase of Clerk',
    password: 'user1password',
    hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$42xEC+ixf3L2lw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$Bw==$8$14',
    stored:
      '$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ$Bw$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA',
  },
  {
    source: `${ownCalculation}: Joomla 1.5, in the form md5_salted of Clerk`,
    password: 'password',
    hash: 'J0omlaSalt$5f57c79f592801d21209723d99d7eaad',
  },
  {
    source: `${ownCalculation}: Magento 2, in the form sha256_salted of Clerk`,
    password: 'password',
    hash: 'salt$13601bda4ea78e55a07b98866d2be6be0744e3866f13c00c811cab608a28f322',
  },
  {
    source: 'the same, as older clients of Clerk describe it',
    password: 'password',
    hash: '13601bda4ea78e55a07b98866d2be6be0744e3866f13c00c811cab608a28f322$salt',
  },
  {
    source: 'appwrite/appwrite, tests/unit/Auth/AuthTest.php: SHA-3',
    password: 'developersAreAwesome!',
    hash: '$sha3-512$JFURhDjLElNUuJu1iING6b0jNVRixA3zk/q1FL8iILWgjk4te4XXMnWVpFDQrJZcxmYRUqRqFXxm1oG+0gpHNQ',
  },
  {
    source: 'the example of Symfony, in the form sha512_symfony of Clerk',
    password: 'lètmein',
    hash: 'sha512_symfony$5000$gw5p4hb2vi8sw0w4ggcwsggcgs48ok4$ydKHHr9AYSNOvjlUmpRV2W5+X5iDMAwu460cbNDfXX7dQ2jA/w5Y+7BC9dAJ+x/C8OD9rFEMbpMngHjSS278LQ==',
    stored:
      '$symfony-sha512$i=5000$Z3c1cDRoYjJ2aThzdzB3NGdnY3dzZ2djZ3M0OG9rNA$ydKHHr9AYSNOvjlUmpRV2W5+X5iDMAwu460cbNDfXX7dQ2jA/w5Y+7BC9dAJ+x/C8OD9rFEMbpMngHjSS278LQ',
  },
  {
    source: `${ownCalculation}: bcrypt_peppered of Clerk, as Devise makes it`,
    password: 'lètmein',
    hash: '$2a$05$MAXysZKV0LXi1b/bUy.D7e1hOzQjmOF.V/YVTbCT2Q99c6uuMu9wW$a1b2c3d4pepper',
  },
  // Applications that call crypto.scrypt of Node.js
  {
    source: `${ownCalculation}: crypto.scrypt of Node.js with its defaults`,
    password: 'lètmein',
    hash: '36c4536996ca5615dcf9911f068786dc:a22c06a3cf3caf07f72ceab0d5280541da2f86f2e55b2987cc1b0b40742e1c2c88614306204777a1d2e4a2073ed4b0c1b5dc93974fab22eed9684fd1ee987b89',
  },
  {
    source: 'the same, with the key first',
    password: 'lètmein',
    hash: 'a22c06a3cf3caf07f72ceab0d5280541da2f86f2e55b2987cc1b0b40742e1c2c88614306204777a1d2e4a2073ed4b0c1b5dc93974fab22eed9684fd1ee987b89.36c4536996ca5615dcf9911f068786dc',
    stored:
      '$scrypt$ln=14,r=8,p=1$MzZjNDUzNjk5NmNhNTYxNWRjZjk5MTFmMDY4Nzg2ZGM$oiwGo888rwf3LOqw1SgFQdovhvLlWymHzBsLQHQuHCyIYUMGIEd3odLkogc+1LDBtdyTl0+rIu7ZaE/R7ph7iQ',
  },
  {
    source: 'the same, with a colon',
    password: 'lètmein',
    hash: 'a22c06a3cf3caf07f72ceab0d5280541da2f86f2e55b2987cc1b0b40742e1c2c88614306204777a1d2e4a2073ed4b0c1b5dc93974fab22eed9684fd1ee987b89:36c4536996ca5615dcf9911f068786dc',
    isBare: true,
  },
  {
    source: `${ownCalculation}: salt, dot and a key of 32 bytes`,
    password: 'lètmein',
    hash: '9f2d1c0e9c43b7e9.111969c60852d9b31c3e6b9e62d42653139eef754b844a4d84ef9f8fba806b9a',
    stored: '$scrypt$ln=14,r=8,p=1$OWYyZDFjMGU5YzQzYjdlOQ$ERlpxghS2bMcPmueYtQmUxOe73VLhEpNhO+fj7qAa5o',
  },
  // Werkzeug
  {
    source: werkzeug,
    password: 'lètmein',
    hash: 'scrypt:32768:8:1$caUPrK33nUw5Lcqq$ea4a3ae5a6e8826bea03d2312b63fe2a4d363c5655e690de39527d1fa9b48a53f86028ba16e7904442eaf3dba196771526553a5e3cc68c216d6c7c4ba972a038',
    stored:
      '$scrypt$ln=15,r=8,p=1$Y2FVUHJLMzNuVXc1TGNxcQ$6ko65abogmvqA9IxK2P+Kk02PFZV5pDeOVJ9H6m0ilP4YCi6FueQRELq89uhlncVJlU6XjzGjCFtbHxLqXKgOA',
  },
  {
    source: werkzeug,
    password: 'lètmein',
    hash: 'pbkdf2:sha256:1000$IcWsw8Qglz6TZCyp$3c5cd0152f2dc673971bb82a6fe1ccde59e8bd86f7f2b6c62ca24c0cc764bfcc',
    stored: '$pbkdf2-sha256$i=1000,l=32$SWNXc3c4UWdsejZUWkN5cA$PFzQFS8txnOXG7gqb+HM3lnovYb38rbGLKJMDMdkv8w',
  },
  {
    source: werkzeug,
    password: 'lètmein',
    hash: 'pbkdf2:sha1:1000$hbFtsP3QqaWJtv35$0489711b1c0e2a6a3da5181f6a25f8a3396c8c6f',
    stored: '$pbkdf2-sha1$i=1000,l=20$aGJGdHNQM1FxYVdKdHYzNQ$BIlxGxwOKmo9pRgfaiX4ozlsjG8',
  },
  {
    source: `${werkzeug}: SHA-2, where Ory Kratos means SHA-3`,
    password: 'lètmein',
    hash: 'pbkdf2:sha384:1000$ldOUBYq5IlYYAMMf$d2ceab48fba8db096142aca3333f208a653bde30114f887d053b3ea6f35efb6d087c1f02add69180696c734b2e71b8d3',
    stored:
      '$pbkdf2-sha384$i=1000,l=48$bGRPVUJZcTVJbFlZQU1NZg$0s6rSPuo2wlhQqyjMz8gimU73jART4h9BTs+pvNe+20IfB8CrdaRgGlsc0sucbjT',
  },
  {
    source: earlierWerkzeug,
    password: 'lètmein',
    hash: 'sha256$8XEwLsxuTQWVpN6x$30fd14a2b5b632029b3800333918a2759424e6d78908ab33271fd6c97be3d783',
    stored: '$hmac-sha256$MP0UorW2MgKbOAAzORiidZQk5teJCKszJx/WyXvj14M$OFhFd0xzeHVUUVdWcE42eA',
  },
  {
    source: `${earlierWerkzeug}: an HMAC, in the form of Django`,
    password: 'lètmein',
    hash: 'sha1$pWmW7nE6l5febV2F$612f5058d3b9448c01af3d8c4a26a206df087e45',
    stored: '$sha1$pf=e1NBTFR9e1BBU1NXT1JEfQ$cFdtVzduRTZsNWZlYlYyRg$YS9QWNO5RIwBrz2MSiaiBt8IfkU',
  },
  {
    source: `${earlierWerkzeug}: an HMAC, in the form of Django`,
    password: 'lètmein',
    hash: 'md5$iOkpNzzSbIFtykge$c3239875948942bc5a82b95a56d930a1',
    stored: '$md5$pf=e1NBTFR9e1BBU1NXT1JEfQ$aU9rcE56elNiSUZ0eWtnZQ$wyOYdZSJQrxagrlaVtkwoQ',
  },
  // Spring Security
  {
    source: spring,
    password: 'password',
    hash: '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc',
    stored: '$pbkdf2-sha1$i=185000,l=32$XZI7RKbRKfM$3fPjyNKUEnI9y95yRF6O9r87UI+/F/pO1Na5nKdj2Nw',
  },
  {
    source: springCrypto,
    password: 'password',
    hash: '{pbkdf2@SpringSecurity_v5_8}933f6d5bcd680955d5242bd1965301527dedeec689a016ccb7d2b3a44436fc87b80c97d230ac6e82a5d2280d12699b19',
    stored: '$pbkdf2-sha256$i=310000,l=32$kz9tW81oCVXVJCvRllMBUg$fe3uxomgFsy30rOkRDb8h7gMl9IwrG6CpdIoDRJpmxk',
  },
  {
    source: spring,
    password: 'password',
    hash: '{scrypt}$e0801$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw==$OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc=',
    stored:
      '$scrypt$ln=14,r=8,p=1$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw$OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc',
  },
  {
    source: springCrypto,
    password: 'password',
    hash: '{scrypt@SpringSecurity_v5_8}$100801$QuDVtLXzJ80AEtqyLcvLPA==$p2kDQLU18Gkv0jmRyvuL04LYGTlc7Ay0ZHVLYre2de8=',
    stored: '$scrypt$ln=16,r=8,p=1$QuDVtLXzJ80AEtqyLcvLPA$p2kDQLU18Gkv0jmRyvuL04LYGTlc7Ay0ZHVLYre2de8',
  },
  {
    source: spring,
    password: 'password',
    hash: '{sha256}97cde38028ad898ebc02e690819fa220e88c62e0699403e94fff291cfffaf8410849f27605abcbc0',
  },
  {
    source: spring,
    password: 'password',
    hash: '{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG',
    stored: '$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG',
  },
  {
    source: springCrypto,
    password: 'password',
    hash: '{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=16384,t=2,p=1$RASwEoylHzap8dy6V4/3FA$PJ+WDEKh33UXoyfDayMsVe8J5fsWJtPO1KyT+UYAKv8',
    stored:
      '$argon2id$v=19$m=16384,t=2,p=1$RASwEoylHzap8dy6V4/3FA$PJ+WDEKh33UXoyfDayMsVe8J5fsWJtPO1KyT+UYAKv8',
  },
  {
    source: springCrypto,
    password: 'lètmein',
    hash: '{MD5}{Gt0y4ZL7lEye1GQQ05vHKYSBihuSvz57EboM9wlgFCA=}c7e34179f78cfdff5a70d342191040c3',
    stored:
      '$md5$pf=e1BBU1NXT1JEfXtTQUxUfQ$e0d0MHk0Wkw3bEV5ZTFHUVEwNXZIS1lTQmlodVN2ejU3RWJvTTl3bGdGQ0E9fQ$x+NBefeM/f9acNNCGRBAww',
  },
  {
    source: springCrypto,
    password: 'lètmein',
    hash: '{SHA-256}{Is/OeTe/AM5JdVDpbGY8YPpyiB6UJYtB5na5nRRChZ8=}557ddec80c3cea2d268a1a0d396a225941b5424e6473b908499922ae3cc77354',
    stored:
      '$sha256$pf=e1BBU1NXT1JEfXtTQUxUfQ$e0lzL09lVGUvQU01SmRWRHBiR1k4WVBweWlCNlVKWXRCNW5hNW5SUkNoWjg9fQ$VX3eyAw86i0mihoNOWoiWUG1Qk5kc7kISZkirjzHc1Q',
  },
  {
    source: springCrypto,
    password: 'lètmein',
    hash: '{SHA-1}{pF7zP2ayOMgCPMhCmAR4ch3slIKYFJo8+qKO8NQfKdo=}7c773f9a7b3ba9686974b84574e1c243ba5bc015',
    stored:
      '$sha1$pf=e1BBU1NXT1JEfXtTQUxUfQ$e3BGN3pQMmF5T01nQ1BNaENtQVI0Y2gzc2xJS1lGSm84K3FLTzhOUWZLZG89fQ$fHc/mns7qWhpdLhFdOHCQ7pbwBU',
  },
  {
    source: springCrypto,
    password: 'lètmein',
    hash: '{MD4}{Ubks8t2uVCqOGtW2tUdMKNXjdTOqGGntPfREfJ1/ZTw=}f19abd6e12573e37357343944fbb2c73',
    stored:
      '$md4$pf=e1BBU1NXT1JEfXtTQUxUfQ$e1Via3M4dDJ1VkNxT0d0VzJ0VWRNS05YamRUT3FHR250UGZSRWZKMS9aVHc9fQ$8Zq9bhJXPjc1c0OUT7sscw',
  },
  {
    source: 'RFC 1320 appendix A.5: MD4 of "message digest", as Spring Security writes it',
    password: 'message digest',
    hash: '{MD4}d9130a8164549fe818874806e1c7014b',
    stored: '$md4$2RMKgWRUn+gYh0gG4ccBSw',
  },
  {
    source: springCrypto,
    password: 'lètmein',
    hash: '{ldap}{SSHA}w5f/Cghww6XLtQgGDcvCWv/w2WT7DCh3rEu+5A==',
    stored: '$sha1$pf=e1BBU1NXT1JEfXtTQUxUfQ$+wwod6xLvuQ$w5f/Cghww6XLtQgGDcvCWv/w2WQ',
  },
  {
    source: springCrypto,
    password: 'lètmein',
    hash: '{sha256}40caca204658fd379aa9831df120983167f9d847e14c1810b01e2fda979570d816ce823d8aa764fb',
  },
  // Better Auth
  {
    source: 'made by @better-auth/utils 0.5.1. The first letter is wide, and NFKC makes it a usual one',
    password: 'Ｌètmein-é',
    hash: 'cc8c07249bad24499f0ec3abdcd5bdfb:cf04838beb4831793fede7d074eea9f14fc81b427bfa587968cb3ea67615f8530537cff6e5a5e8ec1961dbace8ca271682f11858ed2dc5ecd1e034891521da39',
    isBare: true,
  },
  // Bare digests
  {
    source: `${passwap}: md5plain`,
    password: 'password',
    hash: '5f4dcc3b5aa765d61d8327deb882cf99',
    stored: '$md5$X03MO1qnZdYdgyfeuILPmQ',
    isBare: true,
  },
  {
    source: nextcloud,
    password: 'owncloud.com',
    hash: '27a4643e43046c3569e33b68c1a4b15d31306d29',
    stored: '$sha1$J6RkPkMEbDVp4ztowaSxXTEwbSk',
    isBare: true,
  },
  {
    source: 'FIPS 180-4, example: SHA-256 of "abc"',
    password: 'abc',
    hash: 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD',
    stored: '$sha256$ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0',
    isBare: true,
  },
  {
    source: 'FIPS 180-4, example: SHA-512 of "abc"',
    password: 'abc',
    hash: 'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    stored: '$sha512$3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw',
    isBare: true,
  },
  {
    source: `${ownCalculation}: Joomla 1.5, the salt last`,
    password: 'password',
    hash: '5f57c79f592801d21209723d99d7eaad:J0omlaSalt',
    isBare: true,
  },
  {
    source: `${ownCalculation}: Magento 2, the salt first`,
    password: 'password',
    hash: '13601bda4ea78e55a07b98866d2be6be0744e3866f13c00c811cab608a28f322:salt:1',
    stored: '13601bda4ea78e55a07b98866d2be6be0744e3866f13c00c811cab608a28f322:salt',
    isBare: true,
  },
  // ZITADEL
  {
    source: passwap,
    password: 'Test1000!',
    hash: '$md5salted-suffix$c2FsdA==$R58+SD/95ORa9VZ9BPS5FA==',
    stored: '$md5$pf=e1BBU1NXT1JEfXtTQUxUfQ$YzJGc2RBPT0$R58+SD/95ORa9VZ9BPS5FA',
  },
  {
    source: passwap,
    password: 'Test1000!',
    hash: '$md5salted-prefix$c2FsdA==$0M2MYNUmNumHqqQ+kmuTUQ==',
    stored: '$md5$pf=e1NBTFR9e1BBU1NXT1JEfQ$YzJGc2RBPT0$0M2MYNUmNumHqqQ+kmuTUQ',
  },
  {
    source: passwap,
    password: 'user1password',
    hash: '$firebasescrypt$ln=10,r=4$42xEC+ixf3L2lw==$EQ0tlNdKv5ZBDYN7ofOYlhhTEe5Tu9bueDmtDUhLPM+9dcS1u1ALgMcT6N1+U9GsDlVdd3FE2dmz37fU5Y8A9Q==$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    stored:
      '$firescrypt$ln=10,r=4,p=1$42xEC+ixf3L2lw$EQ0tlNdKv5ZBDYN7ofOYlhhTEe5Tu9bueDmtDUhLPM+9dcS1u1ALgMcT6N1+U9GsDlVdd3FE2dmz37fU5Y8A9Q$Bw$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA',
  },
  {
    source: passwap,
    password: 'Test1000!',
    hash: '{SHA384}33ONcPYPqzSsF8AsvGnI1VCpT+gCXcH5L5yl0qfbTL55HboMjsvZC7+EYdwAl99z',
    stored: '$sha384$33ONcPYPqzSsF8AsvGnI1VCpT+gCXcH5L5yl0qfbTL55HboMjsvZC7+EYdwAl99z',
  },
  // Ory Kratos
  {
    source: `${ownCalculation}: SHA-3, as hash/hasher_pbkdf2.go of Ory Kratos has it`,
    password: 'test',
    hash: '$pbkdf2-sha224$i=1000,l=32$c2FsdHNhbHRzYWx0c2FsdA$wJmsGecEvTmwvR19s+KdmMaVJKIr9DXDgnLFJd2gmKg',
  },
  {
    source: `${ownCalculation}: SHA-3, as hash/hasher_pbkdf2.go of Ory Kratos has it`,
    password: 'test',
    hash: '$pbkdf2-sha384$i=1000,l=32$c2FsdHNhbHRzYWx0c2FsdA$VJFCke/7rGFzt8IxPQAS8jRItkbcdp3iMk1LbqlyPQA',
  },
  {
    source: `${ownCalculation}: SHA-2, as ZITADEL's passwap has it`,
    password: 'test',
    hash: '$pbkdf2-sha224$1000$c2FsdHNhbHRzYWx0c2FsdA$cZYvoUhYqWl3QtoNsfZUt/9YiTtr8Jqqo2qu98FZdho',
    stored: '$pbkdf2-sha224$i=1000,l=32$c2FsdHNhbHRzYWx0c2FsdA$cZYvoUhYqWl3QtoNsfZUt/9YiTtr8Jqqo2qu98FZdho',
  },
  // Nextcloud
  {
    source: `${nextcloud}: a hash of argon2i`,
    password: 'password',
    hash: '2|$argon2i$v=19$m=1024,t=2,p=2$T3JGcEkxVFNOVktNSjZUcg$4/hyLtSejxNgAuzSFFV/HLM3qRQKBwEtKw61qPN4zWA',
    stored: '$argon2i$v=19$m=1024,t=2,p=2$T3JGcEkxVFNOVktNSjZUcg$4/hyLtSejxNgAuzSFFV/HLM3qRQKBwEtKw61qPN4zWA',
  },
  {
    source: nextcloud,
    password: 'password',
    hash: '1|$2a$05$ezAE0dkwk57jlfo6z5Pql.gcIK3ReXT15W7ITNxVS0ksfhO/4E4Kq',
    stored: '$2a$05$ezAE0dkwk57jlfo6z5Pql.gcIK3ReXT15W7ITNxVS0ksfhO/4E4Kq',
  },
  {
    source: `${nextcloud}: argon2id under the number that Nextcloud gives it`,
    password: 'password',
    hash: '3|$argon2id$v=19$m=65536,t=4,p=1$TEtIMnhUczliQzI0Y01WeA$BpMUDrApy25iagIogUAnlc0rNTPJmGs8lOEeVHujJ9Q',
    stored:
      '$argon2id$v=19$m=65536,t=4,p=1$TEtIMnhUczliQzI0Y01WeA$BpMUDrApy25iagIogUAnlc0rNTPJmGs8lOEeVHujJ9Q',
  },
  // With a pepper
  {
    source: `${nextcloud}: before version 6, with its passwordsalt at the end`,
    password: 'owncloud.com',
    hash: '$pepper-suffix$2a$08$YbEsyASX/hXVNMv8hXQo7ezreN17T8Jl6PjecGZvpX.Ayz2aUyaZ2',
    pepper: nextcloudPepper,
  },
  {
    source: `${ownCalculation}: digest of devise/lib/devise/encryptor.rb`,
    password: 'lètmein',
    hash: '$pepper-suffix$2a$05$MAXysZKV0LXi1b/bUy.D7e1hOzQjmOF.V/YVTbCT2Q99c6uuMu9wW',
    pepper: examplePepper,
  },
  {
    source: `${ownCalculation}: bcrypt of base64 of the HMAC`,
    password: 'lètmein',
    hash: '$pepper-hmac-sha256-base64$2b$05$MAXysZKV0LXi1b/bUy.D7erzV7vFlFZOSKf5itODiYQzQPuH8hyqu',
    pepper: examplePepper,
  },
  {
    source: `${ownCalculation}: the pepper is the key`,
    password: 'test',
    hash: `$hmac-sha256$5kiQimL9MpsvE68A+AJ21uYSKbMGb1j+M+rFbUIH8bM$${pepperWord}`,
    pepper: examplePepper,
  },
  {
    source: `${ownCalculation}: the pepper stands in the template`,
    password: 'test',
    hash: '$sha512$pf=e1NBTFR9e1BBU1NXT1JEfXtQRVBQRVJ9$NW9wbWtnejAzcg$Hwcx1yKt4mAbJZ1kr3uKvW06hHFFMIHmYqz1CbwP+PQFBd87GsFPuxl9+W6OvjC7Ka7w922pJ1lMf75B6sKLzg',
    pepper: examplePepper,
  },
  {
    source: `${nodeArgon2}, with a secret and a name for it`,
    password: 'password',
    hash: '$argon2id$v=19$m=1024,p=1,t=2,keyid=a2V5LTE$hG92npT768vt56gn1R6jZQ$I4naYT5U9SfCSVbNfLFRcICf7PG7+ZFsSmBulNVGTYQ',
    stored:
      '$argon2id$v=19$m=1024,t=2,p=1,keyid=a2V5LTE$hG92npT768vt56gn1R6jZQ$I4naYT5U9SfCSVbNfLFRcICf7PG7+ZFsSmBulNVGTYQ',
    pepper: examplePepper,
  },
  // argon2 of Node
  {
    source: nodeArgon2,
    password: 'password',
    hash: '$argon2id$v=19$m=1024,p=1,t=2$0JMI/rHp4wdp65MTHcJV+w$gHQfLYCheeXz2AybEIgMECB0S4r3IcbhdLrDFlG9tPY',
    stored:
      '$argon2id$v=19$m=1024,t=2,p=1$0JMI/rHp4wdp65MTHcJV+w$gHQfLYCheeXz2AybEIgMECB0S4r3IcbhdLrDFlG9tPY',
  },
  {
    source: `${nodeArgon2}, with associated data`,
    password: 'password',
    hash: '$argon2id$v=19$m=1024,p=1,t=2,data=dGVuYW50LTc$X4HwZ+rEE87EKihbMj2h5Q$eW48kWZ6SSQgc7hQzMl/fd2/F63dm/BZoNbc68UFQr8',
    stored:
      '$argon2id$v=19$m=1024,t=2,p=1,data=dGVuYW50LTc$X4HwZ+rEE87EKihbMj2h5Q$eW48kWZ6SSQgc7hQzMl/fd2/F63dm/BZoNbc68UFQr8',
  },
  // Atlassian
  {
    source: passlib,
    password: 'admin',
    hash: '{PKCS5S2}c4xaeTQM0lUieMS3V5voiexyX9XhqC2dBd5ecVy60IPksHChwoTAVYFrhsgoq8/p',
    stored: '$pbkdf2-sha1$i=10000,l=32$c4xaeTQM0lUieMS3V5voiQ$7HJf1eGoLZ0F3l5xXLrQg+SwcKHChMBVgWuGyCirz+k',
  },
  // Dovecot
  { source: dovecot, password: 'test', hash: '{CRYPT}//EsnG9FLTKjo' },
  {
    source: dovecot,
    password: 'test',
    hash: '{PLAIN-MD4}db346d691d7acc4dc2625db19f9e3f52',
    stored: '$md4$2zRtaR16zE3CYl2xn54/Ug',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{MD5}$1$wmyrgRuV$kImF6.9MAFQNHe23kq5vI/',
    stored: '$1$wmyrgRuV$kImF6.9MAFQNHe23kq5vI/',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{SHA1}qUqP5cyxm6YcTAhz05Hph5gvu9M=',
    stored: '$sha1$qUqP5cyxm6YcTAhz05Hph5gvu9M',
  },
  { source: dovecot, password: 'test', hash: '{NTLM}0cb6948805f797bf2a82807973b89537' },
  {
    source: dovecot,
    password: 'test',
    hash: '{LDAP-MD5}CY9rzUYh03PK3k6DJie09g==',
    stored: '$md5$CY9rzUYh03PK3k6DJie09g',
  },
  {
    source: `${dovecot}, the MD5 of LDAP-MD5 in hexadecimal`,
    password: 'test',
    hash: '{PLAIN-MD5}098f6bcd4621d373cade4e832627b4f6',
    stored: '$md5$CY9rzUYh03PK3k6DJie09g',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{SHA256}n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
    stored: '$sha256$n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg',
  },
  {
    source: `${dovecot}, the SHA256 in hexadecimal`,
    password: 'test',
    hash: '{SHA256.HEX}9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    stored: '$sha256$n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{MD5-CRYPT}$1$GgvxyNz8$OjZhLh4P.gF1lxYEbLZ3e/',
    stored: '$1$GgvxyNz8$OjZhLh4P.gF1lxYEbLZ3e/',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{PBKDF2}$1$bUnT4Pl7yFtYX0KU$5000$50a83cafdc517b9f46519415e53c6a858908680a',
    stored: '$pbkdf2-sha1$i=5000,l=20$YlVuVDRQbDd5RnRZWDBLVQ$UKg8r9xRe59GUZQV5TxqhYkIaAo',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{CRAM-MD5}e02d374fde0dc75a17a557039a3a5338c7743304777dccd376f332bee68d2cf6',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{SCRAM-SHA-1}4096,GetyLXdBuHzf1FWf8SLz2Q==,NA/OqmF4hhrsrB9KR7po+dliTGM=,QBiURvQaE6H6qYTmeghDHLANBFQ=',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{SCRAM-SHA-256}4096,LfNGSFqiFykEZ1xDAYlnKQ==,HACNf9CII7cMz3XjRy/Oh3Ae2LHApoDyNw74d3YtFws=,AQH0j7Hf8J12g8eNBadvzlNB2am3PxgNwFCFd3RxEaw=',
  },
  {
    source: `${dovecot}, in the form of PostgreSQL`,
    password: 'test',
    hash: 'SCRAM-SHA-256$4096:LfNGSFqiFykEZ1xDAYlnKQ==$HACNf9CII7cMz3XjRy/Oh3Ae2LHApoDyNw74d3YtFws=:AQH0j7Hf8J12g8eNBadvzlNB2am3PxgNwFCFd3RxEaw=',
    stored:
      '{SCRAM-SHA-256}4096,LfNGSFqiFykEZ1xDAYlnKQ==,HACNf9CII7cMz3XjRy/Oh3Ae2LHApoDyNw74d3YtFws=,AQH0j7Hf8J12g8eNBadvzlNB2am3PxgNwFCFd3RxEaw=',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{BLF-CRYPT}$2y$05$11ipvo5dR6CwkzwmhwM26OXgzXwhV2PyPuLV.Qi31ILcRcThQpEiW',
    stored: '$2y$05$11ipvo5dR6CwkzwmhwM26OXgzXwhV2PyPuLV.Qi31ILcRcThQpEiW',
  },
  {
    source: dovecot,
    password: 'test',
    hash: '{ARGON2I}$argon2i$v=19$m=32768,t=4,p=1$f2iuP4aUeNMrgu34fhOkkg$1XSZZMWlIs0zmE+snlUIcLADO3GXbA2O/hsQmmc317k',
    stored:
      '$argon2i$v=19$m=32768,t=4,p=1$f2iuP4aUeNMrgu34fhOkkg$1XSZZMWlIs0zmE+snlUIcLADO3GXbA2O/hsQmmc317k',
  },
  {
    source: "Ulrich Drepper's example among these, as Dovecot writes it",
    password: 'Hello world!',
    hash: '{SHA512-CRYPT}$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
    stored:
      '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  },
  // Apache and DES
  {
    source: 'httpd.apache.org, Password Formats',
    password: 'myPassword',
    hash: '$apr1$r31.....$HqJZimcKQFAMYayBlzkrA/',
  },
  {
    source: passlib,
    password: 'U*U***U',
    hash: 'CCX.K.MFy4Ois',
    stored: '{CRYPT}CCX.K.MFy4Ois',
    isBare: true,
  },
  {
    source: `${passlib}: the extended form of BSDi`,
    password: 'U*U*U*U*',
    hash: '{CRYPT}_J9..CCCCXBrJUJV154M',
  },
  // Symfony and FOSUserBundle
  {
    source: `${ownCalculation}: MessageDigestPasswordHasher of Symfony, with the salt of a FOSUserBundle`,
    password: 'lètmein',
    hash: '$symfony-sha512$i=5000$Z3c1cDRoYjJ2aThzdzB3NGdnY3dzZ2djZ3M0OG9rNA$ydKHHr9AYSNOvjlUmpRV2W5+X5iDMAwu460cbNDfXX7dQ2jA/w5Y+7BC9dAJ+x/C8OD9rFEMbpMngHjSS278LQ==',
    stored:
      '$symfony-sha512$i=5000$Z3c1cDRoYjJ2aThzdzB3NGdnY3dzZ2djZ3M0OG9rNA$ydKHHr9AYSNOvjlUmpRV2W5+X5iDMAwu460cbNDfXX7dQ2jA/w5Y+7BC9dAJ+x/C8OD9rFEMbpMngHjSS278LQ',
  },
  {
    source: 'symfony/symfony, MessageDigestPasswordHasherTest.php: two rounds without a salt',
    password: 'password',
    hash: '$symfony-sha256$i=2$$3b02902846ffd32e92ff168b3f5d16b0d1a11e7e3cf785adee0f9dbef0bb74c4',
    stored: '$symfony-sha256$i=2$$OwKQKEb/0y6S/xaLP10WsNGhHn4894Wt7g+dvvC7dMQ',
  },
  // ForgeRock and Oracle
  {
    source: 'ForgeRock/forgeops, make-users.sh: "password" encoded with PBKDF2',
    password: 'password',
    hash: '{PBKDF2-HMAC-SHA256}10000:xKsMmlzVLRYdYzcgBuD3ZIAeSj8tNhjDHGFDqhth8Kcbw5qjL5UZxaiS2awL1HjO',
    stored: '$pbkdf2-sha256$i=10000,l=32$G8Oaoy+VGcWoktmsC9R4zg$xKsMmlzVLRYdYzcgBuD3ZIAeSj8tNhjDHGFDqhth8Kc',
  },
  {
    source: 'a client of Oracle Identity Cloud Service, which names the password in a comment',
    password: 'Oracle123456',
    hash: '{PBKDF2-HMAC-SHA256}1000$Rm+dEVMv98VInyrNTqEH/15AUxZdvL9Ex1OvFSOvidXECAASU38pnve/dS/fHddQ',
    stored: '$pbkdf2-sha256$i=1000,l=32$xAgAElN/KZ73v3Uv3x3XUA$Rm+dEVMv98VInyrNTqEH/15AUxZdvL9Ex1OvFSOvidU',
  },
  {
    source: `${ownCalculation}: a salted hash of ForgeRock IDM`,
    password: 'Passw0rd',
    hash: JSON.stringify({
      $crypto: {
        type: 'salted-hash',
        value: {
          algorithm: 'SHA-512',
          data: 'fyn9+Nsi7DC86k+glFNX/dUsdG9ThLDyI2CHMOQNE0kKmiDbDfcZCCwXOcY/4sj2ottIFjUlHCHKCg2oNUpUPjAxMjM0NTY3ODlhYmNkZWY=',
        },
      },
    }),
    stored:
      '$sha512$pf=e1BBU1NXT1JEfXtTQUxUfQ$MDEyMzQ1Njc4OWFiY2RlZg$fyn9+Nsi7DC86k+glFNX/dUsdG9ThLDyI2CHMOQNE0kKmiDbDfcZCCwXOcY/4sj2ottIFjUlHCHKCg2oNUpUPg',
  },
];
