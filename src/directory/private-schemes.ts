/**
 * Schemes that no native application can have. A browser runs them as code, keeps them for itself, opens them at another program, or
 * refuses a redirect to them. The odd forms of http and https are none of these: `redirect-uris.ts` refuses them by their form.
 */
export const refusedSchemes = [
  // Code and content that a browser runs itself.
  ...[
    'javascript',
    'data',
    'vbscript',
    'livescript',
    'mocha',
    'jscript',
    'about',
    'blob',
    'filesystem',
    'file',
    'view-source',
  ],
  ...['jar', 'mhtml', 'res', 'resource', 'chrome', 'content', 'feed', 'mk', 'its', 'ms-its', 'hcp'],
  // Android reads another address out of it.
  'intent',
  // Programs of Windows that do what the address says.
  ...['ms-msdt', 'ms-officecmd', 'ms-appinstaller', 'ms-settings', 'search-ms', 'search', 'shell'],
  // Protocols of the network, and of other programs on every device.
  ...[
    'ws',
    'wss',
    'ftp',
    'sftp',
    'ssh',
    'telnet',
    'ldap',
    'ldaps',
    'smb',
    'gopher',
    'mailto',
    'tel',
    'sms',
    'urn',
  ],
] as const;

const refused: ReadonlySet<string> = new Set(refusedSchemes);

/**
 * Whether the scheme of an address is one of {@link refusedSchemes}, a letter of a drive, or looks like http.
 * @param scheme in lower case, without the colon
 */
export function isRefusedScheme(scheme: string): boolean {
  return refused.has(scheme) || scheme.length === 1 || /^https?[+.-]/.test(scheme);
}
