import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A mail server that keeps the received mails. */
export interface MailServer {
  /** The value for the setting `smtpUrl`. */
  readonly url: string;
  readonly mails: readonly string[];
  /** The mails to an address. */
  to(address: string): string[];
}

export async function startMailServer(t: Pick<Test, 'teardown'>): Promise<MailServer> {
  const mails: string[] = [];
  const server = createServer((socket) => receive(socket, (mail) => mails.push(mail)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    to: (address) => mails.filter((mail) => mail.includes(`To: ${address}`)),
  };
}

/** The part of SMTP that nodemailer uses with a server without extensions. */
function receive(socket: Socket, keep: (mail: string) => void): void {
  let rest = '';
  let mail: string | undefined;
  socket.write('220 test\r\n');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (mail === undefined) {
        if (line === 'DATA') mail = '';
        socket.write(line === 'DATA' ? '354 go on\r\n' : '250 ok\r\n');
      } else if (line !== '.') {
        mail += `${line}\n`;
      } else {
        // Decodes quoted-printable: joins broken lines and replaces escaped characters.
        keep(mail.replaceAll('=\n', '').replaceAll('=3D', '='));
        mail = undefined;
        socket.write('250 ok\r\n');
      }
    }
  });
}
