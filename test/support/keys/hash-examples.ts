import type { HashExample } from './hash-example.js';
import { examplesOfSystems } from './hash-examples-of-systems.js';

const kratos = 'github.com/ory/kratos v1.3.1, hash/hasher_test.go';
const passlib = 'passlib 1.7.4, tests/test_handlers*.py';
const django = 'made by Django 5.1.1, contrib.auth.hashers';
const drepper = 'Ulrich Drepper, Unix crypt using SHA-256 and SHA-512; OpenSSL 3 makes the same';
const aspNet = 'dotnet/aspnetcore, PasswordHasherTest.cs';
const keycloak = 'parts of other examples here, in the form of keycloak 26 PasswordCredentialModel';
const fusionauth = 'FusionAuth/fusionauth-import-scripts, generic/exampleData/faUsers.json';
const ownCalculation = "calculated with Python's hashlib";

const iPbkdf2 =
  '$pbkdf2-sha256$i=100000,l=32$1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc$QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI';
const argon2id = '$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw';

/** At least one hash of each form that docs/password-hashes.md names. */
export const hashExamples: readonly HashExample[] = [
  // bcrypt
  {
    source: passlib,
    password: 'U*U*U',
    hash: '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a',
  },
  { source: kratos, password: 'test', hash: '$2a$12$o6hx.Wog/wvFSkT/Bp/6DOxCtLRTDj7lm9on9suF/WaCGNVHbkfL6' },
  {
    source: passlib,
    password: 'password',
    hash: '$bcrypt-sha256$2a,5$5Hg1DKFqPE8C2aflZ5vVoe$12BjNE0p7axMg55.Y/mHsYiVuFBDQyu',
  },
  {
    source: passlib,
    password: 'password',
    hash: '$bcrypt-sha256$2b,5$5Hg1DKFqPE8C2aflZ5vVoe$12BjNE0p7axMg55.Y/mHsYiVuFBDQyu',
  },
  {
    source: passlib,
    password: `${'abc123'.repeat(12)}qwr`,
    hash: '$bcrypt-sha256$v=2,t=2b,r=5$X1g1nh3g0v4h6970O68cxe$CBF9csfEdW68xv3DwE6xSULXMtqEFP.',
  },
  {
    source: `${django}, without Django's prefix`,
    password: 'lètmein',
    hash: '$2b$05$MAXysZKV0LXi1b/bUy.D7eLLLPgGHNWuPN1B3y/YqafYEk71tzhfa',
  },
  {
    source: `${django}, as PHP writes the same`,
    password: 'lètmein',
    hash: '$2y$05$MAXysZKV0LXi1b/bUy.D7eLLLPgGHNWuPN1B3y/YqafYEk71tzhfa',
  },
  // argon2
  { source: kratos, password: 'test', hash: argon2id },
  {
    source: kratos,
    password: 'test',
    hash: '$argon2i$v=19$m=65536,t=3,p=4$kk51rW/vxIVCYn+EG4kTSg$NyT88uraJ6im6dyha/M5jhXvpqlEdlS/9fEm7ScMb8c',
  },
  {
    source: passlib,
    password: 'password',
    hash: '$argon2d$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$cZn5d+rFh+ZfuRhm2iGUGgcrW5YLeM6q7L3vBsdmFA0',
  },
  {
    source: `${passlib}, without a version`,
    password: 'password',
    hash: '$argon2i$m=65536,t=2,p=4$c29tZXNhbHQAAAAAAAAAAA$QWLzI4TY9HkL2ZTLc8g6SinwdhZewYrzz9zxCo0bkGY',
    stored:
      '$argon2i$v=16$m=65536,t=2,p=4$c29tZXNhbHQAAAAAAAAAAA$QWLzI4TY9HkL2ZTLc8g6SinwdhZewYrzz9zxCo0bkGY',
  },
  // scrypt
  {
    source: 'RFC 7914 section 12, in the form of passlib 1.7.4',
    password: 'pleaseletmein',
    hash: '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw',
  },
  {
    source: passlib,
    password: 'nacl',
    hash: '$scrypt$ln=1,r=4,p=2$yhnD+J+Tci4lZCwFgHCuVQ$fAsEWmxSHuC0cHKMwKVFPzrQukgvK09Sj+NueTSxKds',
  },
  {
    source: `${kratos}: ln is the cost itself`,
    password: 'test',
    hash: '$scrypt$ln=16384,r=8,p=1$2npRo7P03Mt8keSoMbyD/tKFWyUzjiQf2svUaNDSrhA=$MiCzNcIplSMqSBrm4HckjYqYhaVPPjTARTzwB1cVNYE=',
    stored:
      '$scrypt$ln=14,r=8,p=1$2npRo7P03Mt8keSoMbyD/tKFWyUzjiQf2svUaNDSrhA$MiCzNcIplSMqSBrm4HckjYqYhaVPPjTARTzwB1cVNYE',
  },
  {
    source: 'github.com/firebase/scrypt, README, in the form of Kratos',
    password: 'user1password',
    hash: '$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    stored:
      '$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ$Bw$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA',
  },
  {
    source: kratos,
    password: '8x4WjoDbSxJZdR',
    hash: '$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQu1oxM2/k4SsbOu73wlKe1A$Bw$YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw',
  },
  // PBKDF2
  { source: kratos, password: 'test', hash: iPbkdf2 },
  {
    source: kratos,
    password: 'test',
    hash: '$pbkdf2-sha512$i=100000,l=32$bdHBpn7OWOivJMVJypy2UqR0UnaD5prQXRZevj/05YU$+wArTfv1a+bNGO1iZrmEdVjhA+lL11wF4/IxpgYfPwc',
  },
  {
    source: passlib,
    password: 'password',
    hash: '$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI',
    stored: '$pbkdf2-sha1$i=1212,l=20$OB+dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI',
  },
  {
    source: passlib,
    password: 'password',
    hash: '$pbkdf2-sha256$1212$4vjV83LKPjQzk31VI4E0Vw$hsYF68OiOUPdDZ1Fg.fJPeq1h/gXXY7acBp9/6c.tmQ',
    stored: '$pbkdf2-sha256$i=1212,l=32$4vjV83LKPjQzk31VI4E0Vw$hsYF68OiOUPdDZ1Fg+fJPeq1h/gXXY7acBp9/6c+tmQ',
  },
  {
    source: passlib,
    password: 'password',
    hash: '{PBKDF2-SHA512}1212$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK.eVozomMr.1gYa17k9B7KIK25NOEshvhrSX.esqY3s.FvWZViXz4KoLlQI.BzY/YTNJOiKc5gBYFYGww',
    stored:
      '$pbkdf2-sha512$i=1212,l=64$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK+eVozomMr+1gYa17k9B7KIK25NOEshvhrSX+esqY3s+FvWZViXz4KoLlQI+BzY/YTNJOiKc5gBYFYGww',
  },
  {
    source: django,
    password: 'lètmein',
    hash: 'pbkdf2_sha256$20000$seasalt$oBSd886ysm3AqYun62DOdin8YcfbU1z9cksZSuLP9r0=',
    stored: '$pbkdf2-sha256$i=20000,l=32$c2Vhc2FsdA$oBSd886ysm3AqYun62DOdin8YcfbU1z9cksZSuLP9r0',
  },
  {
    source: django,
    password: 'lètmein',
    hash: 'pbkdf2_sha1$20000$seasalt$PW/H5xF0MPTAW7JTY/RAPV+r8mo=',
    stored: '$pbkdf2-sha1$i=20000,l=20$c2Vhc2FsdA$PW/H5xF0MPTAW7JTY/RAPV+r8mo',
  },
  {
    source: aspNet,
    password: 'my password',
    hash: 'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
    stored: '$pbkdf2-sha1$i=1000,l=32$AAECAwQFBgcICQoLDA0ODw$rpAhDA39MskNvTWLm4IByFWNLHRFH3cnjPhNS7R9biY',
  },
  {
    source: aspNet,
    password: 'my password',
    hash: 'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
    stored: '$pbkdf2-sha256$i=10000,l=32$AAECAwQFBgcICQoLDA0ODw$sllO6y4FMD2W9SLbJq2u3G8cNhBacKVRSBLT/iSLlBM',
  },
  // Other forms of Django
  {
    source: django,
    password: 'lètmein',
    hash: 'scrypt$16384$seasalt$8$5$ECMIUp+LMxMSK8xB/IVyba+KYGTI7FTnet025q/1f/vBAVnnP3hdYqJuRi+mJn6ji6ze3Fbb7JEFPKGpuEf5vw==',
    stored:
      '$scrypt$ln=14,r=8,p=5$c2Vhc2FsdA$ECMIUp+LMxMSK8xB/IVyba+KYGTI7FTnet025q/1f/vBAVnnP3hdYqJuRi+mJn6ji6ze3Fbb7JEFPKGpuEf5vw',
  },
  {
    source: django,
    password: 'lètmein',
    hash: 'bcrypt_sha256$$2b$05$HO5tVZLw9u9w4o.dJift.OXFhIYrBMRsGW5yoSgYuM/kNLlBxf.Mi',
  },
  {
    source: django,
    password: 'lètmein',
    hash: 'bcrypt$$2b$05$MAXysZKV0LXi1b/bUy.D7eLLLPgGHNWuPN1B3y/YqafYEk71tzhfa',
    stored: '$2b$05$MAXysZKV0LXi1b/bUy.D7eLLLPgGHNWuPN1B3y/YqafYEk71tzhfa',
  },
  {
    source: django,
    password: 'lètmein',
    hash: 'argon2$argon2id$v=19$m=102400,t=2,p=8$c2Vhc2FsdHNlYXNhbHQ$5X8M3A6KY2o98xsl1DnfJpaxc9OdBrgUbl3HjifV1qo',
    stored: '$argon2id$v=19$m=102400,t=2,p=8$c2Vhc2FsdHNlYXNhbHQ$5X8M3A6KY2o98xsl1DnfJpaxc9OdBrgUbl3HjifV1qo',
  },
  {
    source: django,
    password: 'lètmein',
    hash: 'md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3',
    stored: '$md5$pf=e1NBTFR9e1BBU1NXT1JEfQ$c2Vhc2FsdA$P4bQ09Rlt7RYwjG/NVXA4w',
  },
  {
    source: passlib,
    password: 'MyPassword',
    hash: 'sha1$54123$893cf12e134c3c215f3a76bd50d13f92404a54d3',
    stored: '$sha1$pf=e1NBTFR9e1BBU1NXT1JEfQ$NTQxMjM$iTzxLhNMPCFfOna9UNE/kkBKVNM',
  },
  // crypt(3)
  { source: passlib, password: 'U*U***U', hash: '$1$dXc3I7Rw$94JPyQc/eAgQ3MFMCoMF.0' },
  {
    source: passlib,
    password: '4lpHa N|_|M3r1K W/ Cur5Es: #$%(*)(*%#',
    hash: '$1$jQS7o98J$V6iTcr71CGgwW2laf17pi1',
  },
  {
    source: kratos,
    password: 'test',
    hash: '$md5-crypt$$whuMjZj.HMFoaTaZRRtkO0',
    stored: '$1$$whuMjZj.HMFoaTaZRRtkO0',
  },
  {
    source: drepper,
    password: 'Hello world!',
    hash: '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5',
  },
  {
    source: passlib,
    password: 'with unicÖde',
    hash: '$5$rounds=1000$IbG0EuGQXw5EkMdP$LQ5AfPf13KufFsKtmazqnzSGZ4pxtUNw3woQ.ELRDF4',
  },
  {
    source: kratos,
    password: 'test',
    hash: '$sha256-crypt$rounds=535000$05R.9KB6UC2kLI3w$Q/zslzx./JjkAVPTwp6th7nW5l7JU91Gte/UmIh.U78',
    stored: '$5$rounds=535000$05R.9KB6UC2kLI3w$Q/zslzx./JjkAVPTwp6th7nW5l7JU91Gte/UmIh.U78',
  },
  {
    source: drepper,
    password: 'Hello world!',
    hash: '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  },
  {
    source: drepper,
    password: 'a very much longer text to encrypt.  This one even stretches over morethan one line.',
    hash: '$6$rounds=1400$anotherlongsalts$POfYwTEok97VWcjxIiSOjiykti.o/pQs.wPvMxQ6Fm7I6IoYN3CmLs66x9t0oSwbtEW7o7UmJEiDwGqd8p4ur1',
  },
  // phpass and Drupal
  { source: passlib, password: 'test12345', hash: '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0' },
  { source: passlib, password: '123456', hash: '$H$9PE8jEklgZhgLmZl5.HYJAzfGCQtzi1' },
  {
    source: 'hashcat.net, example hashes, mode 7900',
    password: 'hashcat',
    hash: '$S$C33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf',
  },
  {
    source: `${ownCalculation}: includes/password.inc of Drupal 7 over the MD5 of the password`,
    password: 'hashcat',
    hash: 'U$S$9abcdefghpX7u0bUgkRsjzrCA909u/L1RX13OuKW6vqb.YBUkAGa',
  },
  // LDAP
  {
    source: kratos,
    password: 'test123',
    hash: '{SSHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a',
    stored: '$sha1$pf=e1BBU1NXT1JEfXtTQUxUfQ$v9u+mg$JFZFs0oHzxbMwkSJmYVeI8MnTDw',
  },
  {
    source: kratos,
    password: 'test123',
    hash: '{SSHA256}czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK',
    stored: '$sha256$pf=e1BBU1NXT1JEfXtTQUxUfQ$cf+yCg$czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMk',
  },
  {
    source: kratos,
    password: 'test123',
    hash: '{SSHA512}xPUl/px+1cG55rUH4rzcwxdOIPSB2TingLpiJJumN2xyDWN4Ix1WQG3ihnvHaWUE8MYNkvMi5rf0C9NYixHsE6Yh59M=',
    stored:
      '$sha512$pf=e1BBU1NXT1JEfXtTQUxUfQ$piHn0w$xPUl/px+1cG55rUH4rzcwxdOIPSB2TingLpiJJumN2xyDWN4Ix1WQG3ihnvHaWUE8MYNkvMi5rf0C9NYixHsEw',
  },
  {
    source: passlib,
    password: 'testing1234',
    hash: '{SMD5}UjFY34os/pnZQ3oQOzjqGu4yeXE=',
    stored: '$md5$pf=e1BBU1NXT1JEfXtTQUxUfQ$7jJ5cQ$UjFY34os/pnZQ3oQOzjqGg',
  },
  {
    source: 'RFC 2307 section 5.3 form of the SHA-1 of FIPS 180 for "abc"',
    password: 'abc',
    hash: '{SHA}qZk+NkcGgWq6PiVxeFDCbJzQ2J0=',
    stored: '$sha1$qZk+NkcGgWq6PiVxeFDCbJzQ2J0',
  },
  {
    source: passlib,
    password: 'test',
    hash: '{CRYPT}$1$ec6XvcoW$ghEtNK2U1MC5l.Dwgi3020',
    stored: '$1$ec6XvcoW$ghEtNK2U1MC5l.Dwgi3020',
  },
  {
    source: `${ownCalculation}: SHA-384 of the password and the salt`,
    password: 'test123',
    hash: '{SSHA384}T3/A+bSRTBjiJQeKnOYsBsu2gbmSMvgMZBy1NKBoaIRVW+g+aW8791qsQvwsLYoIc2FsdHNhbHQ=',
    stored:
      '$sha384$pf=e1BBU1NXT1JEfXtTQUxUfQ$c2FsdHNhbHQ$T3/A+bSRTBjiJQeKnOYsBsu2gbmSMvgMZBy1NKBoaIRVW+g+aW8791qsQvwsLYoI',
  },
  {
    source: 'RFC 1321, appendix A.5: MD5 of "abc", as LDAP writes it',
    password: 'abc',
    hash: '{MD5}kAFQmDzST7DWlj99KOF/cg==',
    stored: '$md5$kAFQmDzST7DWlj99KOF/cg',
  },
  {
    source: `${ownCalculation}: PBKDF2 of hashlib, in the form of OpenLDAP's pw-pbkdf2`,
    password: 'password',
    hash: '{PBKDF2-SHA256}1212$c2Vhc2FsdHNlYXNhbHQxMg$vrnKPCJVjhjW2QAQC.yT9i/qipwEFtxk63BkXKKzjDs',
    stored: '$pbkdf2-sha256$i=1212,l=32$c2Vhc2FsdHNlYXNhbHQxMg$vrnKPCJVjhjW2QAQC+yT9i/qipwEFtxk63BkXKKzjDs',
  },
  {
    source: `${kratos}, as OpenLDAP's argon2 module writes it`,
    password: 'test',
    hash: `{ARGON2}${argon2id}`,
    stored: argon2id,
  },
  // Digests with a template
  { source: kratos, password: 'test', hash: '$md5$CY9rzUYh03PK3k6DJie09g' },
  {
    source: 'RFC 1321, appendix A.5: MD5 of "abc", hexadecimal',
    password: 'abc',
    hash: '$md5$900150983cd24fb0d6963f7d28e17f72',
    stored: '$md5$kAFQmDzST7DWlj99KOF/cg',
  },
  {
    source: kratos,
    password: 'ory',
    hash: '$md5$pf=e1BBU1NXT1JEfXtTQUxUfSQ/$MTIzNDU2Nzg5$8PhwWanVRnpJAFK4NUjR0w',
  },
  {
    source: `${kratos}: with a pepper before the salt`,
    password: 'test',
    hash: '$sha1$pf=Pz9zdGF0aWNQcmVmaXg/P3tTQUxUfXtQQVNTV09SRH0$NW9wbWtnejAzcg$SAAxMUn7jxckQXkBmsVF0nHwqso',
  },
  {
    source: kratos,
    password: 'test',
    hash: '$sha256$pf=e1NBTFR9JCR7UEFTU1dPUkR9$NW9wbWtnejAzcg$HokCOi9OtiZaZRvnkgemV3B4UUHpI7kA8zq/EZWH2NY',
  },
  {
    source: kratos,
    password: 'test',
    hash: '$sha512$pf=e1NBTFR9e1BBU1NXT1JEfQ$NW9wbWtnejAzcg$6ctpVuApMNp0CgBXcdHw/GC562eFEFGr4gpgANX8ZYsX+j5B19IkdmOY2Fytsz3QUwSWdGcUjbqwgJGTH0UYvw',
  },
  {
    source: `${kratos}: the tag is base64 of hexadecimal`,
    password: 'test',
    hash: '$hmac-sha1$NDMyNjcxZTUyY2Y2YTBmYjZjZDE2NjQxYjAwNjFiZjAwOGEzNWM5MA==$MTIzNDU=',
    stored: '$hmac-sha1$QyZx5Sz2oPts0WZBsAYb8AijXJA$MTIzNDU',
  },
  {
    source: 'RFC 4231, test case 2',
    password: 'what do ya want for nothing?',
    hash: '$hmac-sha256$5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843$SmVmZQ',
    stored: '$hmac-sha256$W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM$SmVmZQ',
  },
  {
    source: 'RFC 4231, test case 2',
    password: 'what do ya want for nothing?',
    hash: '$hmac-sha512$164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737$SmVmZQ',
    stored:
      '$hmac-sha512$Fkt6e/z4GeLjlfvnO1bgo4e9ZCIugx/WECcM1+olBVSXWL91wFqZSm0DT2X48Ob9yuqxo01Ka0tjbgcKOLznNw$SmVmZQ',
  },
  {
    source: `${ownCalculation}: HMAC over the salt, a colon and the password`,
    password: 'test',
    hash: '$hmac-sha256$pf=e1NBTFR9OntQQVNTV09SRH0$NW9wbWtnejAzcg$0AFLGeNNfAJjU0s1SW8zP7pqCqUyZfU1h65pc9efpbc$SmVmZQ',
  },
  // FusionAuth
  {
    source: `${fusionauth}; the letter was guessed`,
    password: 'q',
    hash: '$salted-sha256$i=20000$MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0$NF+m8S+f16RR3RhYkz90y2heRjC6SwFoVT9pFNby6/E=',
    stored:
      '$salted-sha256$i=20000$MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0$NF+m8S+f16RR3RhYkz90y2heRjC6SwFoVT9pFNby6/E',
  },
  {
    source: `${ownCalculation}: the pseudocode of fusionauth.io/docs/reference/password-hashes`,
    password: 'lètmein',
    hash: '$salted-md5$i=20000$MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0$D+RCSJSSP2y/TDfeEb5i9w==',
    stored: '$salted-md5$i=20000$MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0$D+RCSJSSP2y/TDfeEb5i9w',
  },
  {
    source: 'FusionAuth/fusionauth-issues, 257: one round, and no salt',
    password: 'password',
    hash: '$salted-md5$i=1$$X03MO1qnZdYdgyfeuILPmQ==',
    stored: '$md5$X03MO1qnZdYdgyfeuILPmQ',
  },
  {
    source: `${ownCalculation}: one round with a salt`,
    password: 'password123',
    hash: '$salted-sha256$i=1$ZjFuZDFuZ24zbTA=$KGRZ7l/GeMtj2oQVXXatV4ODFXgpJA8iW6z1Kzvr0FQ=',
    stored: '$sha256$pf=e1BBU1NXT1JEfXtTQUxUfQ$ZjFuZDFuZ24zbTA$KGRZ7l/GeMtj2oQVXXatV4ODFXgpJA8iW6z1Kzvr0FQ',
  },
  // Keycloak
  {
    source: `${keycloak}: argon2i of version 1.0`,
    password: 'password',
    hash: JSON.stringify({
      secretData: JSON.stringify({
        salt: 'c29tZXNhbHQAAAAAAAAAAA==',
        value: 'QWLzI4TY9HkL2ZTLc8g6SinwdhZewYrzz9zxCo0bkGY=',
      }),
      credentialData: JSON.stringify({
        hashIterations: 2,
        algorithm: 'argon2',
        additionalParameters: {
          hashLength: ['32'],
          memory: ['65536'],
          type: ['i'],
          version: ['1.0'],
          parallelism: ['4'],
        },
      }),
    }),
    stored:
      '$argon2i$v=16$m=65536,t=2,p=4$c29tZXNhbHQAAAAAAAAAAA$QWLzI4TY9HkL2ZTLc8g6SinwdhZewYrzz9zxCo0bkGY',
  },
  {
    source: keycloak,
    password: 'test',
    hash: JSON.stringify({
      type: 'password',
      createdDate: 1_700_000_000_000,
      secretData: JSON.stringify({
        value: 'MNzk5BtR2vUhrp6qQEjRNw==',
        salt: 'cm94YnRVOW5jZzFzcVE4bQ==',
        additionalParameters: {},
      }),
      credentialData: JSON.stringify({
        hashIterations: 2,
        algorithm: 'argon2',
        additionalParameters: {
          hashLength: ['16'],
          memory: ['32'],
          type: ['id'],
          version: ['1.3'],
          parallelism: ['4'],
        },
      }),
    }),
    stored: argon2id,
  },
  {
    source: keycloak,
    password: 'test',
    hash: JSON.stringify({
      secretData: JSON.stringify({
        value: 'QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI=',
        salt: '1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc=',
      }),
      credentialData: JSON.stringify({ hashIterations: 100_000, algorithm: 'pbkdf2-sha256' }),
    }),
    stored: iPbkdf2,
  },
  {
    source: `${keycloak}, flat as before version 8`,
    password: 'password',
    hash: JSON.stringify({
      type: 'password',
      hashedSaltedValue: 'y5LKPOplRmok7CZp/aqVDVg8zGI=',
      salt: 'OB+dtnSEXZK8U5cgxU/GYQ==',
      hashIterations: 1_212,
      algorithm: 'pbkdf2',
    }),
    stored: '$pbkdf2-sha1$i=1212,l=20$OB+dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI',
  },
  {
    source: 'Keycloak quickstarts, examples-realm.json of 2015, the person admin-user',
    password: 'password',
    hash: JSON.stringify({
      type: 'password',
      hashedSaltedValue:
        'nP2DTe9zXzvuzn4deQhmEqA7eKNs14tdMSaZgfdCHBmWm7mX5DHK/7C6rXjx7BZnE3uzDXKDjZsb2eQFixw9QA==',
      salt: 'uP98vzC7rZadMl1oB1YESg==',
      hashIterations: 1,
      counter: 0,
      digits: 0,
    }),
    stored:
      '$pbkdf2-sha1$i=1,l=64$uP98vzC7rZadMl1oB1YESg$nP2DTe9zXzvuzn4deQhmEqA7eKNs14tdMSaZgfdCHBmWm7mX5DHK/7C6rXjx7BZnE3uzDXKDjZsb2eQFixw9QA',
  },
  ...examplesOfSystems,
];
